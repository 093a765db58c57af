import { expect, test } from '../support/fixtures.ts'
import { contactForm, holdScripts } from '../support/page-objects.ts'
import { newEmail } from '../support/people.ts'

const WITHOUT_SCRIPTS = { javaScriptEnabled: false }

test('a form that is refused comes back filled in, and one typed before the scripts have loaded is sent', async ({
  page: hydrating,
  visit,
  pageGuard,
}) => {
  pageGuard.allow(/^400 POST \/contact-us$/)
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
  await form.fill(typed)
  await form.submit()
  await expect(page).toHaveTitle(/^Your message wasn’t sent/)
  await expect(alert).toBeFocused()
  await expect(form.email).toHaveAccessibleDescription('Please enter a valid email address.')
  await expect(form.name).toHaveValue(typed.name)
  await expect(form.subject).toHaveValue('media-press')
  await expect(form.message).toHaveValue(typed.message)
  await expect(page.getByRole('link', { name: 'Français' }).first()).toHaveAttribute('href', '/fr/contact-us')
  await form.email.fill(email)
  await form.submit()
  await expect(page).toHaveURL(/\/contact-us\/sent$/)
  await expect(page.getByRole('heading', { name: 'Message Sent!', level: 1 })).toBeVisible()
  await page.getByRole('link', { name: 'Send another message' }).click()
  await expect(form.message).toHaveValue('')

  const early = contactForm(hydrating)
  const values = { email, subject: 'general-inquiry', message: 'Hello' }
  const scripts = await holdScripts(hydrating)
  await hydrating.goto('/contact-us', { waitUntil: 'commit' })
  await early.fill(values)
  await early.submit()
  await expect(hydrating).toHaveURL(/\/contact-us\/sent$/)
  await hydrating.goto('/contact-us', { waitUntil: 'commit' })
  await early.fill(values)
  scripts.release()
  await expect(early.hydrated).toBeVisible()
  await early.submit()
  await expect(early.sent).toBeVisible()
  await expect(hydrating).toHaveURL(/\/contact-us$/)
})
