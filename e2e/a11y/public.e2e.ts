import type { Page } from '@playwright/test'
import { LOCALES } from '#contract/product.ts'
import { formPages, textPages } from '../../web/pages.mjs'
import { expect, test } from '../fixtures.ts'
import { PASSWORD } from '../people.ts'
import { audit, pathIn } from './audit.ts'

test.describe.configure({ mode: 'parallel' }) // one worker alone would hold up the whole run

/** Pages of text; their headers say who is signed in. */
const TEXT = [...textPages, '/contact-us/sent']
/** The first two show something else by what follows the address; far from the plain one, or a visit is no load. */
const FORMS = [
  '/reset-password#access_token=cut',
  '/verify-email#error=access_denied&error_code=otp_expired',
  ...formPages,
]
const LOST = ['/no-such-page', '/offline']

/** The main action of the form on a page; it is one when the page's scripts run. */
const submit = (page: Page) => page.getByRole('main').locator('form button[type=submit]').click()
const alert = (page: Page) => page.getByRole('alert').filter({ hasText: /\S/ }).first()

for (const locale of LOCALES) {
  const at = pathIn(locale)

  test(`no violations on the public screens (${locale})`, async ({ visit, watch }) => {
    watch.allow(/^404 GET /)
    const page = await visit()
    const { open, menu, nothing } = audit(page)
    for (const path of [...TEXT, ...FORMS, ...LOST]) await open(at(path))
    await menu(at('/'))
    nothing()
  })

  test(`no violations on the landing page of somebody signed in, a question open (${locale})`, async ({
    person,
    visit,
  }) => {
    const page = await visit({ as: await person() })
    const { look, menu, nothing } = audit(page)
    await menu(at('/'))
    await page.goto(at('/'))
    const question = page.locator('#faq details').nth(2)
    await question.locator('summary').click()
    await expect(question.locator('p').first()).toBeVisible()
    await look('open question')
    nothing()
  })

  test(`no violations on the contact form (${locale})`, async ({ visit, watch }) => {
    watch.allow(/^503 POST \/send-email/)
    const page = await visit({ at: at('/contact-us') })
    const { look, nothing } = audit(page)
    const form = page.getByRole('main').locator('form[novalidate]') // before that the browser checks it by itself
    await form.locator('[name=email]').fill('nobody')
    await submit(page)
    await expect(form.locator('[name=name]')).toHaveAttribute('aria-invalid', 'true')
    await look('refused contact form')
    await form.locator('[name=name]').fill('Robin')
    await form.locator('[name=email]').fill('robin@example.com')
    await form.locator('[name=subject]').selectOption({ index: 2 })
    await form.locator('[name=message]').fill('How do I remove a plate?')
    await page.route('**/send-email', (route) =>
      route.fulfill({ status: 503, json: { error: '', code: 'unavailable' } }),
    )
    await submit(page)
    await expect(alert(page)).toBeVisible()
    await look('contact form that could not be sent')
    await page.unroute('**/send-email')
    await submit(page)
    await expect(form).toHaveCount(0)
    await look('contact form, sent')
    nothing()
  })

  test(`no violations on refused and sent account forms (${locale})`, async ({ person, visit, watch }) => {
    watch.allow(/^400 POST \/auth\/v1\/token/)
    const page = await visit({ at: at('/login') })
    const { look, nothing } = audit(page)
    await submit(page)
    await expect(page.locator('[name=email]')).toHaveAttribute('aria-invalid', 'true')
    await look('empty log-in')
    await page.locator('[name=email]').fill('nobody@example.com')
    await page.locator('[name=password]').fill(PASSWORD)
    await submit(page)
    await expect(alert(page)).toBeVisible()
    await look('refused log-in')
    await page.goto(at('/signup'))
    await submit(page)
    await expect(page.locator('[aria-invalid=true]').first()).toBeVisible()
    await look('empty sign-up')
    await page.goto(at('/forgot-password'))
    await page.locator('[name=email]').fill('nobody@example.com')
    await submit(page)
    await expect(page.getByRole('main').getByRole('heading', { level: 2 })).toBeFocused()
    await look('link asked for')
    await page.goto(await (await person()).recoveryLink(at('/reset-password')))
    await submit(page)
    await expect(page.locator('[aria-invalid=true]').first()).toBeVisible()
    await look('refused new password')
    nothing()
  })

  test(`no violations where mails are ended (${locale})`, async ({ person, product, visit, watch }) => {
    watch.allow(/^404 GET \/unsubscribe/)
    const [owner, sender] = [await person({ locale }), await person()]
    await sender.sends((await owner.registers()).plate, 'Your lights are on.')
    const mails = await product.inbox.to(owner.email, 2) // the first confirmed the address
    const [link] = mails.flatMap(({ parsed }) => /https?:\/\/\S+\/unsubscribe\/\S+/.exec(parsed.text ?? '') ?? [])
    const page = await visit({ options: { locale } })
    const { open, look, nothing } = audit(page)
    await open(String(link))
    await page.getByRole('button').click()
    await expect(page.getByRole('button')).toHaveCount(0)
    await look('mails ended')
    await open('/unsubscribe/cut')
    nothing()
  })
}
