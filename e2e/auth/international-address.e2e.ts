import { expect, test } from '../support/fixtures.ts'
import { contactForm, logIn } from '../support/page-objects.ts'
import { confirmationLink, newEmail, PASSWORD } from '../support/people.ts'

// An address with an international domain, which the server knows in its ASCII form: people read what they typed.

test('a sign-up shows an address with an international domain as it was typed, and so does the account', async ({
  page,
  product,
}) => {
  const typed = newEmail('zoe').replace('example.com', 'exämple.com')
  await page.goto('/signup')
  await page.getByLabel('Full Name').fill('Robin Tester')
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByLabel('Confirm Password').fill(PASSWORD)
  await page.getByLabel('I agree to the terms and conditions.').check()
  await page.getByLabel('Email').fill(typed.replace('zoe', 'zoé'))
  await page.getByRole('button', { name: 'Sign Up' }).click()
  await expect(page.getByLabel('Email')).toHaveAccessibleDescription(
    'We cannot write to an address with letters such as é before the @.',
  )
  await page.getByLabel('Email').fill(typed)
  await page.getByRole('button', { name: 'Sign Up' }).click()
  await expect(page.getByRole('heading', { name: 'Check your inbox' })).toBeVisible()
  await expect(page.getByText(typed)).toBeVisible()
  expect(await page.evaluate("localStorage.getItem('signupEmail')")).toBe(typed)

  // the test's mail server reads domains back into their letters; opened here, where the sign-up was made, nothing is asked
  await page.goto(await confirmationLink(product, typed))
  await expect(page).toHaveURL(/\/dashboard$/)
  await page.goto('/dashboard/profile')
  await expect(page.getByLabel('Email', { exact: true })).toHaveValue(typed)
  const section = page.getByRole('region', { name: 'Email address', exact: true })
  await section.scrollIntoViewIfNeeded()
  await expect(section.getByText(typed, { exact: true })).toBeVisible()
  await expect(page.getByText('xn--')).toHaveCount(0)
  await expect(page.locator(`[title="${typed}"]`).first()).toBeAttached()

  await page.getByRole('button', { name: 'Sign out' }).first().click()
  await expect(page).toHaveURL(/\/$/)
  await page.goto('/login')
  await logIn(page, typed)
  await expect(page).toHaveURL(/\/dashboard$/)

  // filled in for them, and shown again
  await page.goto('/contact-us')
  const form = contactForm(page)
  await expect(form.hydrated).toBeVisible()
  await expect(form.email).toHaveValue(typed)
  await form.fill({ email: typed, subject: 'feedback-suggestions', message: 'Merci' })
  await form.button.click()
  await expect(page.getByRole('status')).toContainText(typed)
})
