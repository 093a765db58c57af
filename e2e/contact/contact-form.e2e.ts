import { expect, test } from '../support/fixtures.ts'
import { AUTH_CLIENT, contactForm, recordRequests } from '../support/page-objects.ts'
import { newEmail } from '../support/people.ts'
import type { Product } from '../support/product.ts'

const SUPPORT = 'support@platenote.ca'
const TEXT = 'Somebody parks on ABC 123.\nWhat can I do?'

/** Returns the emails from one visitor to the support team, once there are at least so many. */
async function waitForMailsFrom({ inbox }: Product, email: string, least = 1) {
  const matching = () => inbox.received.filter((mail) => mail.to === SUPPORT && mail.raw.includes(`Reply-To: ${email}`))
  await expect.poll(() => matching().length).toBeGreaterThanOrEqual(least)
  return matching()
}

test('a message leaves after a second, once, and reaches the support team @always', async ({ page, product }) => {
  const email = newEmail('visitor')
  const form = contactForm(page)
  const requests = recordRequests(page)
  await page.goto('/contact-us')
  await expect(page.getByRole('heading', { name: 'Get in Touch', level: 1 })).toBeVisible()
  await expect(form.hydrated).toBeVisible()
  await expect(form.subject.locator('option')).toHaveText([
    'Choose a subject',
    'General inquiry',
    'Technical support',
    'Account verification',
    'Feedback and suggestions',
    'Partnership',
    'Report a problem',
    'Media and press',
    'Delete my account',
  ])
  await form.fill({ email, subject: 'report-problem', message: TEXT })

  const pressedAt = Date.now()
  const leaves = page.waitForRequest('**/send-email').then(() => Date.now())
  await form.button.dblclick()
  await expect(page.getByRole('button', { name: 'Sending…' })).toBeVisible()
  await form.email.press('Enter')
  expect((await leaves) - pressedAt).toBeGreaterThanOrEqual(1000)
  await expect(form.sent).toBeFocused()
  await expect(page.getByRole('status')).toContainText('We’ll get back to you within 24 hours.')
  await expect(page.getByRole('status')).toContainText(email)

  const [mail, ...more] = await waitForMailsFrom(product, email)
  expect(more).toEqual([])
  expect(mail?.parsed.subject).toContain('Report a problem')
  expect(mail?.parsed.text).toContain('Somebody parks on ABC 123.')
  expect(requests.filter((request) => request.startsWith('POST'))).toEqual(['POST /send-email'])
  expect(requests.filter((request) => AUTH_CLIENT.test(request))).toEqual([])
  expect(await page.evaluate('JSON.stringify({ ...sessionStorage })')).not.toContain('ABC 123')

  await page.getByRole('button', { name: 'Send another message' }).click()
  await expect(form.subject).toBeFocused()
  await expect(form.name).toHaveValue('Robin Tester')
  await expect(form.email).toHaveValue(email)
  await expect(form.subject).toHaveValue('')
  await expect(form.message).toHaveValue('')
})

test('missing and wrong input is reported by its field', async ({ page }) => {
  const form = contactForm(page)
  const requests = recordRequests(page)
  await page.goto('/contact-us')
  await expect(form.hydrated).toBeVisible()
  await form.submit()
  await expect(form.name).toBeFocused()
  await expect(form.name).toHaveAccessibleDescription('Please enter your name.')
  await expect(form.email).toHaveAccessibleDescription('Please enter a valid email address.')
  await expect(form.subject).toHaveAccessibleDescription('Please choose a subject.')
  await expect(form.message).toHaveAccessibleDescription(/Please write a message\.$/)

  await form.fill({ email: 'robin@example', subject: 'partnership', message: 'x'.repeat(5001) })
  await expect(page.getByText('1 character too many')).toBeVisible()
  await form.submit()
  await expect(form.email).toBeFocused()
  await expect(form.email).toHaveAttribute('aria-invalid', 'true')
  await expect(form.message).toHaveAccessibleDescription(/At most 5,000 characters\.$/)
  await expect(form.subject).toHaveAccessibleDescription('')
  await expect(form.message).toHaveValue('x'.repeat(5001))
  expect(requests.join()).not.toContain('POST')
})

test('a failure is reported, the input survives even a reload, and the next try works', async ({
  page,
  product,
  pageGuard,
}) => {
  pageGuard.allow(/net::ERR_INTERNET_DISCONNECTED/, /^(429|500) POST \/send-email$/)
  const email = newEmail('visitor')
  const form = contactForm(page)
  const alert = page.getByRole('alert')
  const expectKept = async (subject = 'media-press') => {
    await expect(form.name).toHaveValue('Robin Tester')
    await expect(form.email).toHaveValue(email)
    await expect(form.subject).toHaveValue(subject)
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

  await page.route('**/send-email', (route) => route.fulfill({ status: 500, body: 'no JSON' }))
  await form.submit()
  await expect(alert).toContainText('Something went wrong. Please try again.')
  await expect(form.sent).toHaveCount(0)
  await page.unroute('**/send-email')
  await page.reload()
  await expectKept()

  // the limit of an hour in these tests is five thousand
  await form.submit()
  await expect(form.sent).toBeVisible()
  await product.db`update rate_counters set count = 5000 where key like 'contact:%'`
  await page.getByRole('button', { name: 'Send another message' }).click()
  await form.fill({ email, subject: 'partnership', message: TEXT })
  await form.submit()
  await expect(alert).toContainText('You’ve contacted us several times in a short time.')
  await expect(alert).toContainText(/You can try again in \d+ (minutes|seconds)\./)
  await expectKept('partnership')
  await product.db`delete from rate_counters where key like 'contact:%'`
  await form.submit()
  await expect(form.sent).toBeVisible()
  expect(await waitForMailsFrom(product, email, 2)).toHaveLength(2)
})

test('a signed-in user need not enter their name and address', async ({ page: visitor, person, visit }) => {
  const someone = await person({ fullName: 'Noé Côté' })
  const page = await visit({ as: someone })
  const requests = recordRequests(page)
  const form = contactForm(page)
  await page.goto('/contact-us')
  await expect(form.name).toHaveValue('Noé Côté')
  await expect(form.email).toHaveValue(someone.email)
  await form.name.fill('Noé')
  await form.subject.selectOption('general-inquiry')
  await form.message.fill('Hello')
  await page.reload()
  await expect(form.name).toHaveValue('Noé')
  await form.submit()
  await expect(form.sent).toBeVisible()
  // the session is neither needed nor sent, so that its scripts are not loaded
  expect(requests.filter((request) => AUTH_CLIENT.test(request) || request.includes('/auth/'))).toEqual([])

  await visitor.goto('/contact-us')
  await contactForm(visitor).message.fill('Hello')
  await expect(contactForm(visitor).name).toHaveValue('')
})
