import { expect, test } from '../support/fixtures.ts'
import { askForCode, codeField, recordRequests, signUp, wrongCode } from '../support/page-objects.ts'
import { emailedCode, newEmail } from '../support/people.ts'
import { textsOf } from '../support/texts.ts'

// Logging in, and confirming a sign-up, with the six digits of an email; what it takes is in quality/taps.e2e.ts.

test('somebody new logs in with a code, agrees to the terms once, and is where they wanted to go, in French @phone', async ({
  audit,
  page,
  product,
  pageGuard,
}) => {
  pageGuard.allow(/^403 POST \/auth\/v1\/verify/)
  const t = textsOf('fr-CA')
  const email = newEmail('kerb')
  await page.goto('/fr/login?next=%2Fsend')
  const address = page.getByLabel(t('auth_email'))
  const ask = page.getByRole('button', { name: t('login_code') })
  await ask.click()
  await expect(address).toBeFocused()
  await expect(address).toHaveAccessibleDescription(t('address_missing'))
  await expect(page.locator('[name=password]')).not.toHaveAttribute('aria-invalid') // not asked for on this way
  await address.fill(email)
  await ask.click()
  await expect(page).toHaveURL(`${product.url}/fr/verify-email?next=%2Fsend`)
  const digits = codeField(page)
  await expect(digits).toBeFocused()
  await page.goBack()
  await expect(address).toHaveValue(email)
  await page.goForward()

  // a phone throws the tab away while one is in the mail program
  const code = await emailedCode(product, email)
  await page.reload()
  await expect(page.getByText(email)).toBeVisible()
  await expect(page.getByRole('button', { name: t('verify_check') })).toHaveCount(0)
  await expect(digits).toBeFocused()
  await expect(digits).toHaveAttribute('inputmode', 'numeric')
  await expect(digits).toHaveAttribute('autocomplete', 'one-time-code')
  await audit(page, 'a code asked for')

  const tries = recordRequests(page, /^POST \/auth\/v1\/verify/)
  await digits.pressSequentially(wrongCode(code))
  await expect(digits).toHaveAccessibleDescription(t('code_wrong'))
  await expect(page.getByRole('alert').filter({ hasText: t('code_wrong') })).toBeAttached() // heard where the focus stays
  await expect(digits).toBeFocused()
  await expect(digits).toHaveValue('')
  await audit(page, 'refused code')
  await digits.fill(` ${code.slice(0, 3)}-${code.slice(3)}\n`) // as pasted
  await expect(page).toHaveURL(`${product.url}/fr/consent?next=%2Fsend`)
  expect(tries).toHaveLength(2) // each code submitted itself, once

  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: t('consent_agree') }).click()
  await expect(page).toHaveURL(`${product.url}/fr/send`)
  const [user] = await product.db`
    select email_confirmed_at is not null as confirmed, encrypted_password from auth.users where email = ${email}`
  expect(user).toEqual({ confirmed: true, encrypted_password: null })
  expect(await page.evaluate(`localStorage.getItem('signupEmail')`)).toBeNull()
})

test('an account logs in with a code, and corrects its address', async ({ page, person, product, pageGuard }) => {
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
  await expect(codeField(page)).toBeFocused()
  const code = await emailedCode(product, email, 3)
  const failure = (text: string) => page.getByRole('alert').filter({ hasText: text })

  await codeField(page).pressSequentially(wrongCode(code))
  await expect(codeField(page)).toHaveValue('')
  const tries = 1_000_000 // these tests have a thousand times the product's limits
  await product.db`update rate_counters set count = ${tries} where key like 'code:%'`
  await codeField(page).pressSequentially(code)
  await expect(failure('Too many attempts.')).toContainText('The link in the email still works.')
  await expect(codeField(page)).toHaveValue(code)
  await product.db`delete from rate_counters where key like 'code:%'`

  await page.context().setOffline(true)
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(failure('No connection to PlateNote.')).toBeVisible()
  await expect(codeField(page)).toHaveValue(code)
  await page.context().setOffline(false)
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(page).toHaveURL(/\/dashboard$/)
  await expect(page.getByRole('heading', { name: 'Hello, Here' })).toBeVisible()
})

test('a sign-up is confirmed by its code in the tab', async ({ audit, page, product }) => {
  const email = newEmail()
  await page.goto('/signup')
  await signUp(page, email)
  await expect(page.getByRole('button', { name: 'I’ve verified my email' })).toBeVisible()
  await audit(page, 'a code asked for after a sign-up')
  const code = await emailedCode(product, email)
  await page.reload()
  await codeField(page).pressSequentially(code)
  await expect(page).toHaveURL(/\/dashboard$/)
  await expect(page.getByText('Email verified!')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Hello, Robin' })).toBeVisible()
})
