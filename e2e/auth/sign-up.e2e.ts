import type { Page } from '@playwright/test'
import { expect, test } from '../support/fixtures.ts'
import { logIn } from '../support/page-objects.ts'
import { confirmationLink, newEmail, PASSWORD } from '../support/people.ts'

type SignUpInput = { email: string; password?: string; confirmation?: string; terms?: boolean }

async function fill(page: Page, { email, password = PASSWORD, confirmation = password, terms = true }: SignUpInput) {
  await page.getByLabel('Full Name').fill('Robin Tester')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Confirm Password').fill(confirmation)
  await page.getByLabel('I agree to the terms and conditions.').setChecked(terms)
}

const submit = (page: Page) => page.getByRole('button', { name: 'Sign Up' }).click()

/** Fills in and submits the sign-up form, up to the page that waits for the link. */
async function signUp(page: Page, email: string) {
  await page.goto('/signup')
  await fill(page, { email })
  await submit(page)
  await expect(page.getByRole('heading', { name: 'Check your inbox' })).toBeVisible()
}

const clickVerified = (page: Page) => page.getByRole('button', { name: 'I’ve verified my email' }).click()
const clickResend = (page: Page) => page.getByRole('button', { name: 'Resend verification email' }).click()

test('each error is shown by its field, and the input stays', async ({ page, person, pageGuard }) => {
  pageGuard.allow(/^422 POST \/auth\/v1\/signup/)
  const taken = await person()
  await page.goto('/signup')
  await submit(page)
  await expect(page.getByText('Please enter your full name.')).toBeVisible()
  await expect(page.getByText('Please enter your email address.')).toBeVisible()
  await expect(page.getByText('Please enter a password.')).toBeVisible()
  await expect(page.getByLabel('Full Name')).toBeFocused()

  await fill(page, { email: newEmail(), terms: false })
  await submit(page)
  const terms = page.getByLabel('I agree to the terms and conditions.')
  await expect(terms).toHaveAccessibleDescription(
    /^You must agree to the terms and conditions. You also confirm that you are at least 13 years old;/,
  )

  await fill(page, { email: newEmail(), confirmation: 'Correct-horse-8' })
  await submit(page)
  await expect(page.getByLabel('Confirm Password')).toHaveAccessibleDescription('Passwords do not match.')

  await fill(page, { email: newEmail(), password: 'onlyletters' })
  await submit(page)
  const rule = 'Password must be at least 8 characters and include uppercase, lowercase, number, and symbol.'
  await expect(page.getByText(rule)).toBeVisible()
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue('onlyletters')

  // follows every rule, but is too common, which only the server can say
  await fill(page, { email: newEmail(), password: 'P@ssw0rd' })
  await submit(page)
  await expect(page.getByText('This password is too common and easy to guess.')).toBeVisible()

  await fill(page, { email: taken.email })
  await submit(page)
  await expect(page.getByLabel('Email')).toHaveAccessibleDescription('An account with that email already exists.')
  await expect(page.getByLabel('Email')).toBeFocused()
  await expect(page.getByLabel('Full Name')).toHaveValue('Robin Tester')
})

test('the terms and the privacy policy open in a new tab, and the form keeps its input', async ({ page }) => {
  await page.goto('/signup')
  await fill(page, { email: 'robin@example.com', terms: false })
  for (const [name, path] of [
    ['terms and conditions', '/terms-and-conditions'],
    ['privacy policy', '/privacy'],
  ] as const) {
    const link = page.getByRole('checkbox').locator('xpath=..').getByRole('link', { name })
    await expect(link).toHaveAccessibleDescription('Opens in a new tab')
    const opened = page.waitForEvent('popup')
    await link.click()
    const beside = await opened
    await expect(beside).toHaveURL(new RegExp(`${path}$`))
    await expect(beside.getByRole('heading', { level: 1 })).toHaveText(new RegExp(name, 'i'))
    await beside.close()
  }
  await expect(page.getByLabel('Full Name')).toHaveValue('Robin Tester')
  await expect(page.getByLabel('Confirm Password')).toHaveValue(PASSWORD)
  await expect(page.getByRole('checkbox')).not.toBeChecked()
})

test('the password rules are checked while typing, and the password can be shown and pasted', async ({
  page,
  context,
}) => {
  await page.goto('/signup')
  const field = page.getByLabel('Password', { exact: true })
  await expect(field).toHaveAccessibleDescription(/8\+ characters \(needed\)/)
  await field.pressSequentially('abcD1')
  await expect(page.getByText('3 of 5 password requirements met')).toBeAttached()
  const requirements =
    /8\+ characters \(needed\) lowercase letter \(met\) uppercase letter \(met\) number \(met\) symbol \(needed\)/
  await expect(field).toHaveAccessibleDescription(requirements)
  await field.pressSequentially('_xyz')
  await expect(page.getByText('5 of 5 password requirements met')).toBeAttached()

  await expect(field).toHaveAttribute('type', 'password')
  await page.getByRole('button', { name: 'Show password' }).first().click()
  await expect(field).toHaveAttribute('type', 'text')
  await expect(page.getByRole('button', { name: 'Show password', pressed: true })).toHaveCount(1)

  // what password managers rely on
  await expect(page.getByLabel('Email')).toHaveAttribute('autocomplete', 'email')
  const confirmation = page.getByLabel('Confirm Password')
  for (const one of [field, confirmation]) await expect(one).toHaveAttribute('autocomplete', 'new-password')
  await expect(field).toHaveAttribute(
    'passwordrules',
    /^minlength: 8; maxlength: 512; required: lower; required: upper;/,
  )
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.evaluate(`navigator.clipboard.writeText('${PASSWORD}')`)
  await confirmation.focus()
  await page.keyboard.press('ControlOrMeta+V')
  await expect(confirmation).toHaveValue(PASSWORD)
})

test('losing the connection while signing up keeps the input, and the next try works', async ({ page, pageGuard }) => {
  pageGuard.allow(/net::ERR_INTERNET_DISCONNECTED/)
  const email = newEmail()
  await page.goto('/signup')
  await fill(page, { email })
  await page.context().setOffline(true)
  await expect(page.getByText('You’re offline.')).toBeVisible()
  await submit(page)
  await expect(page.getByRole('alert')).toContainText('No connection to PlateNote.')
  await expect(page.getByLabel('Full Name')).toHaveValue('Robin Tester')
  await expect(page.getByLabel('Confirm Password')).toHaveValue(PASSWORD)
  await page.context().setOffline(false)
  await submit(page)
  await expect(page.getByRole('heading', { name: 'Check your inbox' })).toBeVisible()
  await page.context().setOffline(true)
  await clickResend(page)
  await expect(page.getByRole('alert')).toContainText('No connection to PlateNote.')
  await clickVerified(page)
  await expect(page.getByRole('alert')).toContainText('No connection to PlateNote.')
  await page.context().setOffline(false)
  await clickResend(page)
  await expect(page.getByText('Verification email sent!')).toBeVisible()
})

test('the link on another device asks whose the password is, and this page continues by its button', async ({
  page,
  product,
  visit,
  pageGuard,
}) => {
  pageGuard.allow(/^400 POST \/auth\/v1\/token/)
  const email = newEmail()
  await signUp(page, email)
  await clickVerified(page)
  await expect(page.getByText('Still not verified. Check your email link again.')).toBeVisible()

  const elsewhere = await visit({ at: await confirmationLink(product, email) })
  await expect(elsewhere.getByRole('heading', { name: `Log in as ${email}?` })).toBeVisible()
  await expect(elsewhere.getByText('Did you sign up with this address yourself, on another device?')).toBeVisible()
  // only asked so far
  await clickVerified(page)
  await expect(page.getByText('Still not verified. Check your email link again.')).toBeVisible()
  await elsewhere.getByRole('button', { name: 'Yes, keep my password' }).click()
  await expect(elsewhere).toHaveURL(/\/dashboard$/)
  await expect(elsewhere.getByRole('heading', { name: 'Hello, Robin' })).toBeVisible()
  await clickVerified(page)
  await expect(page).toHaveURL(/\/dashboard$/)
  await expect(page.getByText('Email verified!')).toBeVisible()
})

test('another email can be requested, its link works once, and the page says when it has expired', async ({
  page,
  product,
  visit,
}) => {
  const email = newEmail()
  await signUp(page, email)
  await clickResend(page)
  await expect(page.getByText('Verification email sent!')).toBeVisible()
  const link = await confirmationLink(product, email, 2)

  await page.goto(link)
  await expect(page).toHaveURL(/\/dashboard$/)
  const later = await visit({ at: link })
  await expect(later.getByRole('heading', { name: 'This link no longer works' })).toBeVisible()
  await clickResend(later)
  await expect(later.getByRole('alert')).toContainText('No email found to resend to.')
  await expect(later.getByRole('alert')).toContainText('Log in with your email and password')
  await later.getByRole('link', { name: 'Log In' }).click()
  await logIn(later, email)
  await expect(later).toHaveURL(/\/dashboard$/)
})

test('somebody else’s link asks before it switches accounts', async ({ person, product, visit, pageGuard }) => {
  pageGuard.allow(/^400 POST \/auth\/v1\/token/)
  const [first, second] = [newEmail('first'), newEmail('second')]
  const here = await person({ fullName: 'Here Already' })
  for (const [email, choice, stays] of [
    [first, `Stay signed in as ${here.email}`, true],
    [second, `Continue as ${second}`, false],
  ] as const) {
    const elsewhere = await visit()
    await signUp(elsewhere, email)
    const page = await visit({ as: here, at: await confirmationLink(product, email) })
    await expect(page.getByRole('heading', { name: 'Switch accounts?' })).toBeVisible()
    const question = page.getByRole('main')
    await expect(question).toContainText(`You are signed in as ${here.email}. This link belongs to ${email}.`)
    await question.getByRole('button', { name: choice }).click()
    if (!stays) await page.getByRole('button', { name: 'Yes, keep my password' }).click()
    await expect(page).toHaveURL(/\/dashboard$/)
    await expect(page.getByRole('heading', { name: stays ? 'Hello, Here' : 'Hello, Robin' })).toBeVisible()
  }
})
