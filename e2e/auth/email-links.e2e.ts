import type { Page } from '@playwright/test'
import { expect, test } from '../support/fixtures.ts'
import { logIn, sessionToken } from '../support/page-objects.ts'
import { newEmail, PASSWORD, signUpLink } from '../support/people.ts'

const NEW_PASSWORD = 'Other-horse-8'

const resetForm = (page: Page) => ({
  async fill(password: string, confirmation = password) {
    await page.getByLabel('New Password').fill(password)
    await page.getByLabel('Confirm Password').fill(confirmation)
  },
  submit: () => page.getByRole('button', { name: 'Reset password' }).click(),
  password: page.getByLabel('New Password'),
  done: page.getByRole('heading', { name: 'Your password has been updated!' }),
})

test('a recovery link sets a password, and ends every session', async ({ person, product, visit, pageGuard }) => {
  pageGuard.allow(/^422 PUT \/auth\/v1\/user/, /^40[013] (GET|POST) \/(api|auth)\//, /net::ERR_INTERNET_DISCONNECTED/)
  const owner = await person()
  const open = await visit({ as: owner, at: '/dashboard/vehicles' })
  await expect(open.getByRole('heading', { name: 'My Vehicles' })).toBeVisible()
  const page = await open.context().newPage()
  const form = resetForm(page)
  await page.goto(await owner.requestRecoveryLink())
  await expect(page.getByText(`For the account of ${owner.email}.`)).toBeVisible()
  await expect(page).toHaveURL(`${product.url}/reset-password`) // no token is left in the address, nor in the links of the page
  await expect(page.getByRole('link', { name: 'Français' })).toHaveAttribute('href', '/fr/reset-password')
  await expect(page.locator('input[autocomplete=username]')).toHaveValue(owner.email)

  await form.fill(PASSWORD)
  await form.submit()
  await expect(form.password).toHaveAccessibleDescription(/must be different from the old one/)
  await form.fill(NEW_PASSWORD)
  await page.context().setOffline(true)
  await form.submit()
  await expect(page.getByRole('alert')).toContainText('No connection to PlateNote.')
  await page.context().setOffline(false)

  await form.submit()
  await expect(form.done).toBeFocused()
  await expect(open).toHaveURL(/\/login\?next=%2Fdashboard%2Fvehicles$/)

  await page.getByRole('link', { name: 'Log In' }).click()
  await logIn(page, owner.email, NEW_PASSWORD)
  await expect(page).toHaveURL(/\/dashboard$/)
  await expect(open).toHaveURL(/\/dashboard\/vehicles$/)
})

test('a recovery link does not sign out anybody else', async ({ person, visit }) => {
  const [here, other] = [await person({ fullName: 'Here Already' }), await person()]
  const link = await other.requestRecoveryLink()
  const page = await visit({ as: here, at: link })
  await expect(page.getByText(`For the account of ${other.email}.`)).toBeVisible()
  await resetForm(page).fill(NEW_PASSWORD)
  await resetForm(page).submit()
  await expect(resetForm(page).done).toBeVisible()
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { name: 'Hello, Here' })).toBeVisible()

  const later = await visit({ at: link })
  await expect(later.getByRole('alert')).toContainText('Invalid or expired reset link.')
  await later.getByRole('link', { name: 'Request a new link' }).click()
  await expect(later.getByRole('heading', { name: 'Forgot your password?' })).toBeVisible()
})

/** Returns an access token that has expired; only the browser reads it. */
const endedToken = () => {
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  return `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode({ sub: 'x', exp: 1_700_000_000 })}.AAAA`
}

test('expired, truncated and forged links and tokens say so', async ({ page, person, product, pageGuard }) => {
  pageGuard.allow(/^40[03] GET \/auth\/v1\/(user|signup)/, /^400 POST \/auth\/v1\/token/)
  const someone = await person()
  const { access_token, refresh_token } = await someone.openSession()
  const recovery = await someone.requestRecoveryLink()
  const confirmation = await signUpLink(product)
  await product.db`update auth.one_time_tokens set expires_at = now() - interval '1 minute'`
  const forged = '#access_token=a.b.c&refresh_token=d&token_type=bearer&expires_in=3600'
  const cut = `#access_token=${endedToken()}&refresh_token=Zm9v&token_type=bearer&expires_in=3600`
  // of a session that a password began, and of one that a link began eleven minutes ago
  const byPassword = `#access_token=${access_token}&refresh_token=${refresh_token}&token_type=bearer&expires_in=3600`
  const begun = await fetch(await signUpLink(product), { redirect: 'manual' })
  await product.db`
    update auth.sessions set amr = jsonb_set(amr, '{0,timestamp}', to_jsonb((amr -> 0 ->> 'timestamp')::int - 660))
    where link_request_id is not null`
  const LINK_EXPIRED = 'This link no longer works'
  for (const [at, text] of [
    [recovery, 'Invalid or expired reset link.'],
    [`/reset-password${forged}`, 'Invalid or expired reset link.'],
    [`/fr/reset-password${cut}`, 'Lien de réinitialisation invalide ou expiré.'],
    [confirmation, LINK_EXPIRED],
    [`/verify-email${byPassword}`, LINK_EXPIRED],
    [begun.headers.get('location') ?? '', LINK_EXPIRED],
  ] as const) {
    await page.goto('about:blank') // otherwise an address that differs only in its fragment loads nothing
    await page.goto(at)
    await expect(page.getByRole('main')).toContainText(text)
    await expect(page).toHaveURL(/\/(reset-password|verify-email)$/)
    expect(await sessionToken(page)).toBe(undefined)
  }
})

test('a link not waited for is declined, and used elsewhere', async ({ audit, product, visit, pageGuard }) => {
  pageGuard.allow(/^400 POST \/auth\/v1\/token/, /net::ERR_FAILED/)
  const email = newEmail()
  const link = await signUpLink(product, email)
  const page = await visit({ at: link })
  await page.getByRole('button', { name: 'Don’t log in' }).click()
  await expect(page).toHaveURL(`${product.url}/`)
  expect(await sessionToken(page)).toBe(undefined)
  const rows = await product.db`select from auth.users where email = ${email} and email_confirmed_at is not null`
  expect(rows).toHaveLength(0)
  // also while its session cannot be ended
  const cut = await visit({ at: link })
  await cut.route('**/auth/v1/logout*', (route) => route.abort())
  await cut.getByRole('button', { name: 'Don’t log in' }).click()
  await expect(cut).toHaveURL(`${product.url}/`)

  // somebody who did not sign up, or is not sure
  const owner = await visit({ at: link })
  const notMine = owner.getByRole('button', { name: 'No, or not sure' })
  await expect(notMine).toBeVisible()
  await audit(owner, 'whose the password is')
  await notMine.click()
  await expect(owner.getByLabel('Confirm Password')).toBeVisible()
  await audit(owner, 'a password to choose')
  await resetForm(owner).fill(NEW_PASSWORD)
  await owner.getByRole('button', { name: 'Save and log in' }).click()
  await expect(owner).toHaveURL(/\/consent\?next=%2Fdashboard$/)
  const later = await visit({ at: '/login' })
  await logIn(later, email, PASSWORD)
  await expect(later.getByRole('alert')).toContainText('Invalid login credentials')
  await logIn(later, email, NEW_PASSWORD)
  await expect(later).toHaveURL(/\/consent\?next=%2Fdashboard$/)

  // a connection that is lost before the session comes is not the link's fault
  const lost = await visit({ at: await signUpLink(product) })
  await lost.route('**/auth/v1/session', (route) => route.abort())
  await lost.getByRole('button', { name: 'No, or not sure' }).click()
  await resetForm(lost).fill(NEW_PASSWORD)
  await lost.getByRole('button', { name: 'Save and log in' }).click()
  await expect(lost.getByRole('alert')).toContainText('No connection to PlateNote')
})
