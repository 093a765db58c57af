import { expect, test } from '../support/fixtures.ts'
import { AUTH_CLIENT, contactForm, holdScripts, recordRequests } from '../support/page-objects.ts'
import { newEmail } from '../support/people.ts'
import type { Product } from '../support/product.ts'

const SUPPORT = 'support@platenote.ca'
const TEXT = 'Somebody parks on ABC 123.\nWhat can I do?'

/** Returns the emails from one visitor to the support team, once there is one. */
async function waitForMailsFrom({ inbox }: Product, email: string) {
  const matching = () =>
    inbox.received.filter(({ to, parsed }) => to === SUPPORT && parsed.replyTo?.[0]?.address === email)
  await expect.poll(() => matching().length).toBeGreaterThan(0)
  return matching()
}

test('what could not be sent survives a reload, and is sent once', async ({ audit, page, product, pageGuard }) => {
  pageGuard.allow(/net::ERR_INTERNET_DISCONNECTED/, /^500 POST \/contact-us$/)
  const email = newEmail('visitor')
  const form = contactForm(page)
  const alert = page.getByRole('alert')
  const expectKept = async () => {
    await expect(form.name).toHaveValue('Robin Tester')
    await expect(form.email).toHaveValue(email)
    await expect(form.subject).toHaveValue('media-press')
    await expect(form.message).toHaveValue(TEXT)
  }
  await page.goto('/contact-us')
  await expect(form.hydrated).toBeVisible()
  await form.fill({ email, subject: 'media-press', message: TEXT })
  await page.context().setOffline(true)
  await expect(form.button).toHaveAccessibleDescription(/^You’re offline\./)
  await form.submit()
  await expect(alert).toContainText('No connection to PlateNote.')
  await expect(alert.getByRole('link', { name: 'Email us instead' })).toHaveAttribute('href', `mailto:${SUPPORT}`)
  await expectKept()
  await page.context().setOffline(false)

  await page.route('**/contact-us', (route) => route.fulfill({ status: 500, body: 'no JSON' }))
  await form.submit()
  await expect(alert).toContainText('Something went wrong. Please try again.')
  await audit(page, 'contact form that could not be sent')
  await expect(form.sent).toHaveCount(0)
  await page.unroute('**/contact-us')
  await page.reload()
  await expectKept()

  const requests = recordRequests(page)
  await form.button.dblclick()
  await expect(page.getByRole('button', { name: 'Sending…' })).toBeVisible()
  await form.email.press('Enter')
  await expect(form.sent).toBeFocused()
  expect(await waitForMailsFrom(product, email)).toHaveLength(1)
  expect(requests.filter((request) => request.startsWith('POST'))).toEqual(['POST /contact-us'])
  expect(await page.evaluate('JSON.stringify({ ...sessionStorage })')).not.toContain('ABC 123')
})

test('a signed-in user need not enter their name and address', async ({ person, visit }) => {
  const someone = await person({ fullName: 'Noé Côté' })
  const page = await visit({ as: someone })
  const requests = recordRequests(page)
  const form = contactForm(page)
  const scripts = await holdScripts(page)
  await page.goto('/contact-us', { waitUntil: 'commit' })
  await form.message.fill('Typed before the scripts')
  scripts.release()
  await expect(form.name).toHaveValue('Noé Côté')
  await expect(form.message).toHaveValue('Typed before the scripts')
  await expect(form.email).toHaveValue(someone.email)
  await form.name.fill('Noé')
  await form.subject.selectOption('general-inquiry')
  await form.message.fill('Hello')
  await page.reload()
  await expect(form.name).toHaveValue('Noé')
  await form.submit()
  await expect(form.sent).toBeVisible()
  // asked once whose name it is: the session is not needed otherwise, so that its scripts are not loaded
  expect(requests.filter((request) => AUTH_CLIENT.test(request) || request.includes('/auth/'))).toEqual([
    'POST /auth/v1/session',
  ])
})
