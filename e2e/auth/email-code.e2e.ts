import type { Locator, Page } from '@playwright/test'
import { SESSION_KEY } from '../../web/src/lib/page/storage.ts'
import { expect, test } from '../support/fixtures.ts'
import { logIn, recordRequests } from '../support/page-objects.ts'
import { confirmationLink, emailedCode, newEmail, PASSWORD, signUpLink } from '../support/people.ts'
import { textsOf } from '../support/texts.ts'

// Logging in, and confirming a sign-up, with the six digits of an email.

const field = (page: Page) => page.locator('[name=code]')
const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

/** Asks for a code on /login. */
async function askForCode(page: Page, email: string) {
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByRole('button', { name: 'Email me a code' }).click()
  await expect(field(page)).toBeFocused()
}

/** Types as a person does, one digit after the other. */
const type = (digits: Locator, code: string) => digits.pressSequentially(code)

for (const [locale, prefix] of [
  ['en', ''],
  ['fr-CA', '/fr'],
] as const) {
  const t = textsOf(locale)
  test(`somebody new logs in with a code, agrees to the terms once, and is where they wanted to go (${locale}) @phone`, async ({
    visit,
    product,
    pageGuard,
  }) => {
    pageGuard.allow(/^403 POST \/auth\/v1\/verify/)
    const email = newEmail('kerb')
    const page = await visit({ at: `${prefix}/login?next=%2Fsend` })
    const address = page.getByLabel(t('auth_email'))
    const ask = page.getByRole('button', { name: t('login_code') })
    await ask.click()
    await expect(address).toBeFocused()
    await expect(address).toHaveAccessibleDescription(t('address_missing'))
    await expect(page.locator('[name=password]')).not.toHaveAttribute('aria-invalid') // not asked for on this way
    await address.fill(email)
    await ask.click()
    await expect(page).toHaveURL(`${product.url}${prefix}/verify-email?next=%2Fsend`)
    const digits = field(page)
    await expect(digits).toBeFocused()

    // a phone throws the tab away while one is in the mail program
    const code = await emailedCode(product, email)
    await page.reload()
    await expect(page.getByText(email)).toBeVisible()
    await expect(page.getByRole('button', { name: t('verify_check') })).toHaveCount(0)
    await expect(digits).toBeFocused()
    for (const [attribute, value] of [
      ['inputmode', 'numeric'],
      ['autocomplete', 'one-time-code'],
    ] as const)
      await expect(digits).toHaveAttribute(attribute, value)

    const tries = recordRequests(page, /^POST \/auth\/v1\/verify/)
    await type(digits, wrong(code))
    await expect(digits).toHaveAccessibleDescription(t('code_wrong'))
    await expect(page.getByRole('alert').filter({ hasText: t('code_wrong') })).toBeAttached() // heard where the focus stays
    await expect(digits).toBeFocused()
    await expect(digits).toHaveValue('')
    await digits.fill(` ${code.slice(0, 3)}-${code.slice(3)}\n`) // as pasted
    await expect(page).toHaveURL(`${product.url}${prefix}/consent?next=%2Fsend`)
    expect(tries).toHaveLength(2) // each code submitted itself, once

    await page.getByRole('checkbox').check()
    await page.getByRole('button', { name: t('consent_agree') }).click()
    await expect(page).toHaveURL(`${product.url}${prefix}/send`)
    const [user] = await product.db`
      select email_confirmed_at is not null as confirmed, encrypted_password from auth.users where email = ${email}`
    expect(user).toEqual({ confirmed: true, encrypted_password: null })
    expect(await page.evaluate(`localStorage.getItem('signupEmail')`)).toBeNull()
  })
}

test('a known account logs in with a code, the address can be corrected, and a lost connection keeps the digits', async ({
  page,
  person,
  product,
  pageGuard,
}) => {
  pageGuard.allow(/net::ERR_INTERNET_DISCONNECTED/, /^4(03|29) POST \/auth\/v1\/verify/)
  const { email } = await person({ fullName: 'Here Already' })
  await page.goto('/login')
  await askForCode(page, `x${email}`)
  await page.getByRole('link', { name: 'Correct it' }).click()
  await expect(page.getByRole('textbox', { name: 'Email' })).toHaveValue(`x${email}`)
  await askForCode(page, email)
  await emailedCode(product, email, 2)
  await page.getByRole('button', { name: 'Send another code' }).click()
  await expect(page.getByText('Another code is on its way.')).toBeVisible()
  await expect(field(page)).toBeFocused()
  const code = await emailedCode(product, email, 3)
  const failure = (text: string) => page.getByRole('alert').filter({ hasText: text })

  await type(field(page), wrong(code))
  await expect(field(page)).toHaveValue('')
  const tries = 1_000_000 // these tests have a thousand times the product's limits
  await product.db`update rate_counters set count = ${tries} where key like 'code:%'`
  await type(field(page), code)
  await expect(failure('Too many attempts.')).toContainText('The link in the email still works.')
  await expect(field(page)).toHaveValue(code)
  await product.db`delete from rate_counters where key like 'code:%'`

  await page.context().setOffline(true)
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(failure('No connection to PlateNote.')).toBeVisible()
  await expect(field(page)).toHaveValue(code)
  await page.context().setOffline(false)
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(page).toHaveURL(/\/dashboard$/)
  await expect(page.getByRole('heading', { name: 'Hello, Here' })).toBeVisible()
})

test('the step goes on when the link of the email is opened in another tab', async ({ page, product, person }) => {
  const { email } = await person()
  await page.goto('/login?next=%2Fdashboard%2Fvehicles')
  await askForCode(page, email)
  const tab = await page.context().newPage()
  await tab.goto(await confirmationLink(product, email, 2))
  await expect(tab).toHaveURL(/\/dashboard$/)
  await expect(page).toHaveURL(/\/dashboard\/vehicles$/)
})

test('the second step is asked after a code as after a password', async ({ page, product, person }) => {
  const someone = await person()
  await someone.confirmWithApp()
  await page.goto('/login?next=%2Fdashboard%2Fvehicles')
  await askForCode(page, someone.email)
  await type(field(page), await emailedCode(product, someone.email, 2))
  await expect(page).toHaveURL(/\/two-step\?next=%2Fdashboard%2Fvehicles$/)
})

test('a code asks before it signs out somebody who has logged in meanwhile', async ({ page, product, person }) => {
  const [here, other] = [await person({ fullName: 'Here Already' }), await person({ fullName: 'Other Person' })]
  await page.goto('/login')
  await askForCode(page, other.email)
  const tab = await page.context().newPage()
  await tab.goto('/login')
  await logIn(tab, here.email)
  await expect(tab.getByRole('heading', { name: 'Hello, Here' })).toBeVisible()
  await type(field(page), await emailedCode(product, other.email, 2))
  await expect(page.getByRole('heading', { name: 'Switch accounts?' })).toBeVisible()
  expect(await page.evaluate((key) => localStorage.getItem(key), SESSION_KEY)).toContain(here.email)
  await page.getByRole('button', { name: `Continue as ${other.email}` }).click()
  for (const one of [page, tab]) await expect(one.getByRole('heading', { name: 'Hello, Other' })).toBeVisible()
})

test('a sign-up is confirmed by its code in the tab, with its own password, name and consent', async ({
  page,
  product,
  visit,
}) => {
  const email = newEmail()
  await page.goto('/signup')
  await page.getByLabel('Full Name').fill('Robin Tester')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByLabel('Confirm Password').fill(PASSWORD)
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Sign Up' }).click()
  await expect(page.getByRole('button', { name: 'I’ve verified my email' })).toBeVisible()
  const code = await emailedCode(product, email)
  await page.reload()
  await type(field(page), code)
  await expect(page).toHaveURL(/\/dashboard$/)
  await expect(page.getByText('Email verified!')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Hello, Robin' })).toBeVisible()

  const elsewhere = await visit({ at: '/login' })
  await logIn(elsewhere, email)
  await expect(elsewhere).toHaveURL(/\/dashboard$/)
})

test('where another device signed up, its code asks whose the password is, as its link does', async ({
  page,
  product,
  pageGuard,
}) => {
  pageGuard.allow(/^400 POST \/auth\/v1\/token/)
  const email = newEmail()
  await signUpLink(product, email)
  await page.goto('/login')
  await logIn(page, email)
  await page.getByRole('link', { name: 'Confirm your email' }).click()
  await type(field(page), await emailedCode(product, email))
  await page.getByRole('button', { name: 'Yes, keep my password' }).click()
  await expect(page).toHaveURL(/\/dashboard$/)
  await expect(page.getByRole('heading', { name: 'Hello, Robin' })).toBeVisible()
})
