import { expect, test } from '../support/fixtures.ts'
import { contactForm, holdScripts } from '../support/page-objects.ts'
import { newEmail } from '../support/people.ts'

const SUPPORT = 'support@platenote.ca'
const WITHOUT_SCRIPTS = { javaScriptEnabled: false }

test('the form is posted without scripts, and the next page says that it was sent @always', async ({
  product,
  visit,
}) => {
  const email = newEmail('visitor')
  const page = await visit({ at: '/contact-us', options: WITHOUT_SCRIPTS })
  const form = contactForm(page)
  await form.submit()
  await expect(page).toHaveURL(/\/contact-us$/) // the browser reports missing input
  await form.fill({ email, subject: 'technical-support', message: 'First line\nSecond line' })
  await form.submit()
  await expect(page).toHaveURL(/\/contact-us\/sent$/)
  await expect(page.getByRole('heading', { name: 'Message Sent!', level: 1 })).toBeVisible()
  await expect(page.getByText('We’ll get back to you within 24 hours.')).toBeVisible()
  await expect
    .poll(() => product.inbox.received.find(({ to, raw }) => to === SUPPORT && raw.includes(email))?.parsed.text)
    .toMatch(/First line\n.*Second line/)

  await page.getByRole('link', { name: 'Send another message' }).click()
  await expect(form.message).toHaveValue('')
})

test('a form that is refused comes back filled in, with the reason', async ({ product, visit, pageGuard }) => {
  pageGuard.allow(/^(400|429) POST \/(fr\/)?contact-us$/, /^404 GET \/contact-us\/again$/)
  const email = newEmail('visitor')
  const typed = {
    name: 'Robin "R" <i>',
    email: 'robin@example',
    subject: 'media-press',
    message: '</textarea>&amp;\n%x',
  }
  const page = await visit({ at: '/contact-us', options: WITHOUT_SCRIPTS })
  const form = contactForm(page)
  const alert = page.getByRole('alert')
  const expectKept = async (address: string) => {
    await expect(form.name).toHaveValue(typed.name)
    await expect(form.email).toHaveValue(address)
    await expect(form.subject).toHaveValue('media-press')
    await expect(form.message).toHaveValue(typed.message)
  }
  await form.fill(typed)
  await form.submit()
  await expect(page).toHaveTitle(/^Your message wasn’t sent/)
  await expect(alert).toBeFocused()
  await expect(alert).toContainText('Please check what you entered.')
  await expect(form.email).toHaveAccessibleDescription('Please enter a valid email address.')
  await expect(form.name).toHaveAccessibleDescription('')
  await expectKept('robin@example')
  await expect(page.getByRole('link', { name: 'Français' }).first()).toHaveAttribute('href', '/fr/contact-us')

  await form.email.fill(email)
  await form.submit()
  await expect(page).toHaveURL(/\/contact-us\/sent$/)
  await product.db`update rate_counters set count = 5000 where key like 'contact:%'`
  await page.goto('/contact-us')
  const another = newEmail('visitor') // a repeated message is not sent twice, and does not count against the limit
  await form.fill({ ...typed, email: another })
  await form.submit()
  await expect(alert).toContainText('You’ve contacted us several times in a short time.')
  await expectKept(another)
  await product.db`delete from rate_counters where key like 'contact:%'`

  await page.goto('/fr/contact-us')
  await page.getByRole('textbox', { name: 'Nom' }).fill('Noémie')
  await page.getByRole('textbox', { name: 'Adresse courriel' }).fill('noemie@example')
  await page.getByLabel('Sujet').selectOption('partnership')
  await page.getByRole('textbox', { name: 'Message' }).fill('Allô')
  await page.getByRole('button', { name: 'Envoyer le message' }).click()
  await expect(alert).toContainText('Veuillez vérifier votre saisie.')
  await expect(page.getByRole('textbox', { name: 'Nom' })).toHaveValue('Noémie')

  await page.goto('/contact-us/again')
  await expect(page.getByRole('heading', { name: 'Oops! Page not found' })).toBeVisible()
})

test('input typed before the scripts have loaded is sent, before or after they have', async ({ page }) => {
  const form = contactForm(page)
  const values = { email: newEmail('visitor'), subject: 'general-inquiry', message: 'Hello' }
  const scripts = await holdScripts(page)
  await page.goto('/contact-us', { waitUntil: 'commit' })
  await form.fill(values)
  await form.submit()
  await expect(page).toHaveURL(/\/contact-us\/sent$/)

  await page.goto('/contact-us', { waitUntil: 'commit' })
  await form.fill(values)
  scripts.release()
  await expect(form.hydrated).toBeVisible()
  await form.submit()
  await expect(form.sent).toBeVisible()
  await expect(page).toHaveURL(/\/contact-us$/)
})
