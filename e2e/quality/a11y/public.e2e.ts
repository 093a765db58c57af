import type { Page } from '@playwright/test'
import { formPages, textPages } from '../../../web/pages.mjs'
import { auditTest } from '../../support/axe-audit.ts'
import { expect, test } from '../../support/fixtures.ts'
import { logIn } from '../../support/page-objects.ts'
import { newEmail, signUpLink } from '../../support/people.ts'

test.describe.configure({ mode: 'parallel' }) // in one worker these would hold up the whole run

/** Text pages, whose headers depend on who is signed in. */
const TEXT_PAGES = [...textPages, '/contact-us/sent']
/** Those with a fragment show something else because of their fragment; away from the plain ones, or opening them loads nothing. */
const FORM_PAGES = [
  '/reset-password#access_token=cut',
  '/verify-email#error=access_denied&error_code=otp_expired',
  '/email-change#do=confirm&token=made-up',
  '/email-change#do=stop&token=made-up',
  '/email-change#do=undo&token=made-up',
  ...formPages,
]
const ERROR_PAGES = ['/no-such-page', '/offline']

/** Submits the form of the page; the button becomes one for submitting once the page's scripts run. */
const submit = (page: Page) => page.getByRole('main').locator('form button[type=submit]').first().click()
const alert = (page: Page) => page.getByRole('alert').filter({ hasText: /\S/ }).first()

auditTest('no violations on the public screens', 'phone', async ({ locale, at, audit, visit, pageGuard }) => {
  pageGuard.allow(/^404 GET /)
  const page = await visit({ options: { locale: locale === 'en' ? 'fr-CA' : 'en-CA' } })
  const { checkPage, checkMenu, check } = audit(page)
  await page.goto(at('/about-us'))
  await expect(page.locator('[data-language-offer]')).toBeVisible()
  await check('the offer of the other language')
  for (const path of [...TEXT_PAGES, ...FORM_PAGES, ...ERROR_PAGES]) await checkPage(at(path))
  await checkMenu(at('/'))
})

auditTest(
  'no violations on the contact form, nor on the unsubscribe pages',
  'desktop',
  async ({ locale, at, audit, person, product, visit, pageGuard }) => {
    pageGuard.allow(/^503 POST \/send-email/, /^404 GET \/unsubscribe/)
    const page = await visit({ at: at('/contact-us') })
    const { check } = audit(page)
    const form = page.getByRole('main').locator('form[novalidate]') // until then the browser validates it by itself
    await form.locator('[name=email]').fill('nobody')
    await submit(page)
    await expect(form.locator('[name=name]')).toHaveAttribute('aria-invalid', 'true')
    await check('refused contact form')
    await form.locator('[name=name]').fill('Robin')
    await form.locator('[name=email]').fill('robin@example.com')
    await form.locator('[name=subject]').selectOption({ index: 2 })
    await form.locator('[name=message]').fill('How do I remove a plate?')
    await page.route('**/send-email', (route) =>
      route.fulfill({ status: 503, json: { error: '', code: 'unavailable' } }),
    )
    await submit(page)
    await expect(alert(page)).toBeVisible()
    await check('contact form that could not be sent')
    await page.unroute('**/send-email')
    await submit(page)
    await expect(form).toHaveCount(0)
    await check('contact form, sent')

    const [owner, sender] = [await person({ locale }), await person()]
    await sender.sendMessage((await owner.registerVehicle()).plate, 'Your lights are on.')
    const mails = await product.inbox.to(owner.email, 2) // the first confirmed the address
    const [link] = mails.flatMap(({ parsed }) => /https?:\/\/\S+\/unsubscribe\/\S+/.exec(parsed.text ?? '') ?? [])
    const unsubscribing = await visit({ options: { locale } })
    const unsubscribed = audit(unsubscribing)
    await unsubscribed.checkPage(String(link))
    await unsubscribing.getByRole('button').click()
    await expect(unsubscribing.getByRole('button')).toHaveCount(0)
    await unsubscribed.check('mails ended')
    await unsubscribed.checkPage('/unsubscribe/cut')
  },
)

auditTest(
  'no violations on refused and sent account forms, and on the questions of a link',
  'phone',
  async ({ at, audit, person, product, visit, pageGuard }) => {
    pageGuard.allow(/^400 POST \/auth\/v1\/token/, /^403 POST \/auth\/v1\/verify/)
    const page = await visit({ at: at('/login') })
    const { check } = audit(page)
    await submit(page)
    await expect(page.locator('[name=email]')).toHaveAttribute('aria-invalid', 'true')
    await check('empty log-in')
    const keepsNothing = await visit()
    await keepsNothing.addInitScript(
      `Object.defineProperty(window, 'localStorage', { value: null, configurable: true })`,
    )
    const unstored = audit(keepsNothing)
    await unstored.checkPage(at('/login'))
    await logIn(page, 'nobody@example.com')
    await expect(alert(page)).toBeVisible()
    await check('refused log-in')
    await page.getByRole('main').locator('form button[type=submit]').last().click()
    await expect(page.locator('[name=code]')).toBeFocused()
    await check('a code asked for')
    await page.locator('[name=code]').fill('000000')
    await expect(page.locator('[name=code]')).toHaveAttribute('aria-invalid', 'true')
    await check('refused code')
    // as after a sign-up
    await page.evaluate(`localStorage.removeItem('signupByCode')`)
    await page.reload()
    await expect(page.getByRole('main').getByRole('button')).toHaveCount(3)
    await check('a code asked for after a sign-up')
    await page.goto(at('/signup'))
    await submit(page)
    await expect(page.locator('[aria-invalid=true]').first()).toBeVisible()
    await check('empty sign-up')
    await page.goto(at('/forgot-password'))
    await page.locator('[name=email]').fill('nobody@example.com')
    await submit(page)
    await expect(page.getByRole('main').getByRole('heading', { level: 2 })).toBeFocused()
    await check('link requested')
    await page.goto(await (await person()).requestRecoveryLink(at('/reset-password')))
    await submit(page)
    await expect(page.locator('[aria-invalid=true]').first()).toBeVisible()
    await check('refused new password')

    const link = await signUpLink(product, newEmail())
    await page.goto(link.replace('%2Fverify-email', encodeURIComponent(at('/verify-email'))))
    const answers = page.getByRole('main').getByRole('button')
    await expect(answers).toHaveCount(3)
    await check('whose the password is')
    await answers.nth(1).click()
    await expect(page.locator('[name=confirmation]')).toBeVisible()
    await check('a password to choose')
  },
)
