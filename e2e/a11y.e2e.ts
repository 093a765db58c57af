import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { newId } from '../server/src/db/ids.ts'
import { makeAdmin } from './admins.ts'
import { expect, test } from './fixtures.ts'
import type { Person } from './people.ts'
import { photo } from './pictures.ts'
import type { Product } from './product.ts'
import { sendForm, vehicleForm } from './screens.ts'

test.describe.configure({ mode: 'parallel' }) // one worker alone would hold up the whole run

const WCAG_22_AA = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
const WIDTHS = [390, 1440]
/** All that a theme can change: the rest of the page is the same in both. */
const RULES_OF_COLOUR = ['color-contrast', 'link-in-text-block']

const PUBLIC = [
  '/',
  '/login',
  '/signup',
  '/verify-email',
  '/forgot-password',
  '/reset-password',
  '/admin/login',
  '/no-such-page',
  '/offline',
]
/** Pages that show something else by what follows the address; far from the plain one, or a visit is no load. */
const LINKS = ['/reset-password#access_token=cut', '/verify-email#error=access_denied&error_code=otp_expired']
const SIGNED_IN = [
  '/dashboard',
  '/dashboard/vehicles',
  '/dashboard/vehicle/new',
  '/dashboard/messages?view=received',
  '/dashboard/messages?view=sent',
  '/dashboard/notifications',
  '/dashboard/profile',
  '/send',
]
const ADMIN = ['/admin', '/admin/users', '/admin/vehicles', '/admin/disputes', '/admin/audit-log', '/admin/profile']

/** Colours on their way from one theme to the other are neither's: the new theme is drawn, and its colours are there. */
const SETTLE = `(async () => {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
  await frame()
  await frame()
  for (const one of document.getAnimations()) if (one instanceof CSSTransition) one.finish()
  await frame()
})()`

/** Somebody with something in every list. */
async function busy(person: () => Promise<Person>): Promise<Person> {
  const [one, other] = [await person(), await person()]
  const mine = await one.registers()
  const theirs = await other.registers()
  const first = await other.sends(mine.plate, 'Your lights are on.')
  await other.sends(mine.plate, 'Long. '.repeat(200))
  await one.replies(first, 'Thank you!')
  await other.replies(await one.sends(theirs.plate, 'You are blocking me.'), 'On my way.')
  await one.sends(theirs.plate, 'And your window is open.')
  await other.registers(mine.plate) // a dispute
  return one
}

/** An admin with something in every list of the admin area. */
async function busyAdmin(product: Product, person: () => Promise<Person>): Promise<Person> {
  const admin = await makeAdmin(product, await busy(person))
  const entry = { id: newId(), action: 'user_deleted', subject: 'p•••@example.com', subject_id: newId() }
  await product.db`insert into audit_log ${product.db(entry)}`
  return admin
}

/** What axe finds on the page as it is, at both widths and in both themes; a language changes words, not colours. */
async function violations(page: Page, where: string, language = 'en'): Promise<string[]> {
  const found = []
  const themes = language === 'en' ? (['light', 'dark'] as const) : (['light'] as const)
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 })
    for (const colorScheme of themes) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.evaluate(SETTLE)
      const axe = new AxeBuilder({ page })
      const { violations } = await (colorScheme === 'light'
        ? axe.withTags(WCAG_22_AA)
        : axe.withRules(RULES_OF_COLOUR)
      ).analyze()
      for (const { id, nodes } of violations) {
        found.push(
          `${where} ${width} ${colorScheme}: ${id} at ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
        )
      }
      const wider = Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'))
      if (wider > 0) found.push(`${where} ${width}: ${wider} px wider than the screen`)
    }
  }
  return found
}

for (const locale of ['en', 'fr']) {
  const at = (path: string) => (locale === 'en' ? path : `/fr${path === '/' ? '' : path}`)

  test(`no violations on the public screens (${locale})`, async ({ visit, watch }) => {
    watch.allow(/^404 GET /)
    const page = await visit()
    const found = []
    for (const path of [...LINKS, ...PUBLIC]) {
      await page.goto(at(path))
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      found.push(...(await violations(page, path, locale)))
    }
    expect(found).toEqual([])
  })

  test(`no violations on the signed-in screens (${locale})`, async ({ person, visit }) => {
    const page = await visit({ as: await busy(() => person({ locale: locale === 'en' ? 'en' : 'fr-CA' })) })
    const found = []
    for (const path of SIGNED_IN) {
      await page.goto(at(path))
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      // its data is there, not only its frame
      await expect(page.getByRole('main').locator('article, li, form').first()).toBeVisible()
      found.push(...(await violations(page, path, locale)))
    }
    expect(found).toEqual([])
  })
}

for (const locale of ['en', 'fr']) {
  test(`no violations on the admin screens (${locale})`, async ({ person, visit, product }) => {
    const page = await visit({ as: await busyAdmin(product, person) })
    const found = []
    for (const path of ADMIN) {
      await page.goto(locale === 'en' ? path : `/fr${path}`)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expect(page.getByRole('main').locator('article, li, form, td').first()).toBeVisible()
      found.push(...(await violations(page, path, locale)))
    }
    await page.goto(locale === 'en' ? '/admin/users' : '/fr/admin/users')
    await page.locator('td').getByRole('button').first().click()
    await expect(page.getByRole('alertdialog')).toBeVisible()
    found.push(...(await violations(page, 'deletion dialog', locale)))
    await page.goto(locale === 'en' ? '/admin/disputes' : '/fr/admin/disputes')
    await page
      .getByRole('button', { name: /^(Reject|Refuser)/ })
      .first()
      .click()
    await expect(page.getByRole('dialog').getByRole('textbox')).toBeVisible()
    found.push(...(await violations(page, 'rejection dialog', locale)))
    expect(found).toEqual([])
  })
}

test('no violations while a message is written', async ({ person, visit, watch }) => {
  watch.allow(/^404 POST \/api\/messages/)
  const page = await visit({ as: await person(), at: '/send' })
  const form = sendForm(page)
  await form.submit()
  const found = await violations(page, 'empty send')
  await form.fill('NOBODY1', 'Hello')
  await form.reason('Minor accident').click()
  await form.submit()
  await expect(page.getByText('That plate is not registered.')).toBeVisible()
  found.push(...(await violations(page, 'refused send')))
  await form.reason('Child or animal inside').click()
  found.push(...(await violations(page, 'somebody inside')))
  expect(found).toEqual([])
})

test('no violations with errors, dialogs and open menus', async ({ person, visit }) => {
  const owner = await busy(() => person())
  const page = await visit({ as: owner })
  const found = []
  await page.goto('/dashboard/vehicles')
  await page
    .getByRole('button', { name: /^Delete/ })
    .first()
    .click()
  await expect(page.getByRole('alertdialog')).toBeVisible()
  found.push(...(await violations(page, 'delete dialog')))
  await page.goto('/dashboard/vehicle/new')
  await vehicleForm(page).fill('BOSS1')
  await expect(page.getByText('Quebec plates usually look like A12 BCD.')).toBeVisible()
  found.push(...(await violations(page, 'doubted plate')))
  await page.goto('/dashboard/profile')
  await page.getByLabel('Full Name').fill('')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Please enter your full name.')).toBeVisible()
  await page.getByRole('button', { name: 'Delete my account' }).click()
  await expect(page.getByRole('alertdialog')).toBeVisible()
  found.push(...(await violations(page, 'account deletion')))
  const sending = await visit({ as: await person(), at: '/send' })
  await sendForm(sending).fill((await owner.registers()).plate, 'See the photo')
  await sendForm(sending).photo.setInputFiles(await photo())
  await sendForm(sending).submit()
  await expect(sendForm(sending).sent).toBeVisible()
  await page.goto('/dashboard/messages')
  await page.getByRole('button', { name: 'Show the photo' }).click()
  await page.keyboard.press('+')
  await expect(page.getByRole('dialog')).toContainText('150%')
  found.push(...(await violations(page, 'photo viewer')))
  const visitor = await visit({ at: '/signup' })
  await visitor.getByRole('button', { name: 'Sign Up' }).click()
  found.push(...(await violations(visitor, 'empty sign-up')))
  await visitor.goto(await (await person()).recoveryLink())
  await visitor.getByRole('button', { name: 'Reset password' }).click()
  await expect(visitor.getByText('Please enter a password.')).toBeVisible()
  found.push(...(await violations(visitor, 'refused new password')))
  expect(found).toEqual([])
})

test('everything is reached by the keyboard alone', async ({ person, visit }) => {
  const page = await visit({ as: await busy(() => person()), at: '/dashboard' })
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  const focused = page.locator(':focus')
  await page.keyboard.press('Tab')
  await expect(focused).toHaveText('Skip to content')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main')).toBeFocused()

  // the menu of a small screen
  await page.setViewportSize({ width: 390, height: 844 })
  const menu = page.getByRole('button', { name: 'Menu' })
  await menu.focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await expect(focused).toHaveText('Dashboard')
  for (let i = 0; i < 3; i++) await page.keyboard.press('Tab')
  await expect(focused).toContainText('Messages')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/dashboard\/messages/)

  // tabs by arrows, then into the panel
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.getByRole('tab', { name: 'Received' }).focus()
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('tab', { name: 'Sent', selected: true })).toBeFocused()

  // a dialog holds the focus and gives it back
  await page.goto('/dashboard/vehicles')
  const remove = page.getByRole('button', { name: /^Delete/ }).first()
  await remove.focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('alertdialog')
  await expect(dialog).toBeVisible()
  for (let i = 0; i < 5; i++) {
    await page.keyboard.press('Tab')
    await expect(dialog.locator(':focus')).toHaveCount(1)
  }
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(remove).toBeFocused()
})
