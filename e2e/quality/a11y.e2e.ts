import type { Page } from '@playwright/test'
import { localizedPath } from '#contract/paths.ts'
import { LOCALES, type Locale } from '#contract/product.ts'
import { runsAll } from '../../server/src/test/runs-all.ts'
import { adminPages, formPages, ownerPages, plainFormPages, textPages } from '../../web/pages.mjs'
import { horizontalOverflow } from '../support/axe-audit.ts'
import { expect, type TestFixtures, test } from '../support/fixtures.ts'
import { createPopulatedAdmin, createPopulatedUser } from '../support/populated-user.ts'
import { auditTabOrder } from '../support/tab-order.ts'

// Every page as one comes to it, in one language and by `npm run test:full` in both. What a page shows after a press is looked at where
// another test has come to it.

test.describe.configure({ mode: 'parallel' }) // in one worker these would hold up the whole run

/** Those with a fragment show something else because of their fragment; away from the plain ones, or opening them loads nothing. */
const FORM_PAGES = [
  '/reset-password#access_token=cut',
  '/verify-email#error=access_denied&error_code=otp_expired',
  '/account-link#do=confirm&token=made-up',
  '/account-link#do=undo&token=made-up',
  ...formPages,
]
const PUBLIC = [...textPages, ...plainFormPages, '/contact-us/sent', ...FORM_PAGES, '/no-such-page', '/offline']
const MESSAGES = ['/dashboard/messages?view=received', '/dashboard/messages?view=sent']
/** Without a thing to show these lead to another page. */
const OWNER = ownerPages.filter((path) => !/message-copy|collision-card|windshield-tag|\/one\//.test(path))
const ADMIN = adminPages.filter((path) => !path.endsWith('/one'))
/** `npm test` goes through these by Tab; `npm run test:full` through every page. */
const BY_KEYBOARD = ['/', '/signup', '/dashboard/messages', '/dashboard/profile']
/** Matches what a page shows once its data is there, not only its frame. */
const CONTENT = 'main :is(article, li, form, td, summary, section button)'
/** No response arrives from these; then a refusal. */
const DATA = /\/api\/|\/rest\//

type Screens = {
  title: string
  /** Where `npm test` looks: in French on a phone, or in English on a desktop. */
  usual: Locale
  look(screens: TestFixtures & { at(path: string): string; locale: Locale }): Promise<void>
}

/** Opens a page, and looks at it when its heading, and whatever else is named, is visible. */
async function lookAt(page: Page, path: string, { audit }: TestFixtures, wait = 'h1') {
  await page.goto(path)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.locator(wait).filter({ visible: true }).first()).toBeVisible()
  await audit(page, path)
}

/** Goes through a page by Tab. */
async function expectTabOrder(page: Page, path: string) {
  if (!runsAll && !BY_KEYBOARD.includes(path.replace(/^\/fr(?=\/|$)/, '') || '/')) return
  await expect(page.locator('main .skeleton')).toHaveCount(0)
  expect(await auditTabOrder(page, path)).toEqual([])
}

/** Opens the menu of a small screen, and looks at it. */
async function lookAtMenu(page: Page, path: string, { audit }: TestFixtures) {
  const size = page.viewportSize()!
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(path)
  await page.getByRole('banner').locator('summary, [aria-controls="site-menu"]').click()
  await expect(page.getByRole('banner').getByRole('link').nth(3)).toBeVisible()
  await audit(page, `${path} with its menu`)
  await page.setViewportSize(size)
}

/** Looks at what pages show while no response arrives, and when the server refuses. */
async function lookAtWaitingAndFailed(page: Page, screens: TestFixtures, waiting: string[], failed: string[]) {
  await page.route(DATA, () => undefined)
  for (const path of waiting) await lookAt(page, path, screens, '.skeleton')
  await page.unroute(DATA)
  await page.route(DATA, (route) => route.fulfill({ status: 429, json: { error: 'Busy.', code: 'too_many_requests' } }))
  for (const path of failed) await lookAt(page, path, screens, 'main [role=alert]')
}

const SCREENS: Screens[] = [
  {
    title: 'the public screens',
    usual: 'fr-CA',
    async look(screens) {
      const { at, audit, locale, pageGuard, person, product, visit } = screens
      pageGuard.allow(/^404 (?:GET |POST \S*\/(?:r|answer)$)/) // nobody has sent this receipt, nor this link
      const page = await visit({ options: { locale: locale === 'en' ? 'fr-CA' : 'en-CA' } })
      await page.goto(at('/about-us'))
      await expect(page.locator('[data-language-offer]')).toBeVisible()
      await audit(page, 'the offer of the other language')
      for (const path of PUBLIC) {
        await lookAt(page, at(path), screens)
        await expectTabOrder(page, at(path))
      }
      await lookAtMenu(page, at('/'), screens)

      const [owner, sender] = [await person({ locale }), await person()]
      await sender.sendMessage((await owner.registerVehicle()).plate, 'Your lights are on.')
      const mails = await product.inbox.to(owner.email, 2) // the first confirmed the address
      const [link] = mails.flatMap(({ parsed }) => /https?:\/\/\S+\/unsubscribe\/\S+/.exec(parsed.text ?? '') ?? [])
      const unsubscribing = await visit({ options: { locale } })
      await lookAt(unsubscribing, String(link), screens)
      await unsubscribing.getByRole('button').click()
      await expect(unsubscribing.getByRole('button')).toHaveCount(0)
      await audit(unsubscribing, 'mails ended')
      await lookAt(unsubscribing, '/unsubscribe/cut', screens)
    },
  },
  {
    title: 'the signed-in screens',
    usual: 'en',
    async look(screens) {
      const { at, audit, locale, person, product, visit } = screens
      const owner = await createPopulatedUser((own) => person({ locale, ...own }))
      const page = await visit({ as: owner })
      for (const path of [...OWNER, ...MESSAGES.slice(1)]) {
        await lookAt(page, at(path), screens, CONTENT)
        await expectTabOrder(page, at(path))
      }
      // what somebody typed without end: on the sheet, on paper, and in emails
      const [typed] = await owner.receivedMessages()
      await lookAt(page, at(`/dashboard/message-copy?id=${typed!.id}`), screens, 'article')
      await page.emulateMedia({ media: 'print' })
      expect(await horizontalOverflow(page, 'the printed copy')).toEqual([])
      await page.emulateMedia({ media: null })
      const mails = await product.inbox.to(owner.email, 2)
      expect(mails.some(({ parsed }) => String(parsed.html).includes('wwww'))).toBe(true)
      const reader = await visit()
      for (const { parsed } of mails) {
        await reader.setContent(String(parsed.html))
        expect(await horizontalOverflow(reader, `the email ${parsed.subject}`)).toEqual([])
      }
      await lookAtMenu(page, at('/dashboard'), screens)
      await lookAtMenu(page, at('/'), screens)
      await page.goto(at('/'))
      const question = page.locator('#faq details').nth(2)
      await question.locator('summary').click()
      await expect(question.locator('p').first()).toBeVisible()
      await audit(page, 'open question of the landing page')
    },
  },
  {
    title: 'empty screens, while lists load, and when they fail',
    usual: 'fr-CA',
    async look(screens) {
      const { at, audit, locale, pageGuard, person, visit } = screens
      pageGuard.allow(/^429 GET \/api\//, /^console: /, /^exception: /)
      const page = await visit({ as: await person({ locale }) })
      await lookAt(page, at('/dashboard'), screens, 'main a[href$="/dashboard/vehicle/new"]')
      for (const path of ['/dashboard/vehicles', '/dashboard/notifications', ...MESSAGES])
        await lookAt(page, at(path), screens, 'main .border-dashed')
      await lookAt(page, at('/dashboard/vehicles/one/dispute'), screens, 'main .border-dashed')
      // a response that this release does not know leads to the error screen
      await page.route('**/api/dashboard', (route) => route.fulfill({ json: { surprise: true } }))
      await lookAt(page, at('/dashboard'), screens, 'button')
      await page.unroute('**/api/dashboard')
      // two pages represent all others while they load, and two when they fail, because they share those components
      const waiting = ['/dashboard', '/dashboard/notifications'].map(at)
      await lookAtWaitingAndFailed(page, screens, waiting, [MESSAGES[0]!, '/dashboard/vehicles'].map(at))
      await page.context().setOffline(true)
      await expect(page.locator('output')).toHaveText(/\S/)
      await audit(page, 'offline')
    },
  },
  {
    title: 'the admin screens',
    usual: 'en',
    async look(screens) {
      const { at, audit, locale, pageGuard, person, product, visit } = screens
      pageGuard.allow(/^429 (GET|POST) \/(api|rest)\//)
      const page = await visit({ as: await createPopulatedAdmin(product, (own) => person({ locale, ...own })) })
      for (const path of ADMIN) {
        await lookAt(page, at(path), screens, CONTENT)
        await expectTabOrder(page, at(path))
      }
      await page.goto(at('/admin/system'))
      await page.locator('main summary').click()
      await audit(page, 'figures of the installation')
      await lookAtMenu(page, at('/admin'), screens)
      for (const path of ['/admin/users?search=nobody-at-all', '/admin/vehicles?plate=NOTHING9'])
        await lookAt(page, at(path), screens, 'main .border-dashed')
      const waiting = ['/admin/users', '/admin/vehicles'].map(at)
      await lookAtWaitingAndFailed(page, screens, waiting, ['/admin', '/admin/inbox'].map(at))
    },
  },
]

for (const { title, usual, look } of SCREENS)
  for (const locale of LOCALES) {
    const tag = [...(locale === 'en' ? [] : ['@phone']), ...(locale === usual ? [] : ['@full'])]
    test(`nothing is wrong with ${title} (${locale})`, { tag }, ({ audit, pageGuard, person, product, visit }) =>
      look({ audit, pageGuard, person, product, visit, locale, at: (path) => localizedPath(path, locale) }),
    )
  }
