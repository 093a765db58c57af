import type { Page } from '@playwright/test'
import { currentCode } from '../../server/src/test/factors.ts'
import { grantAdmin, signInAsAdmin } from '../support/admins.ts'
import { addVirtualAuthenticator, setUpApp } from '../support/authenticators.ts'
import { expect, test } from '../support/fixtures.ts'
import type { Person } from '../support/people.ts'
import { type Product, startSecondServer } from '../support/product.ts'

// Admins where a second factor is required, as in production (decision 0083).

const SECOND_FACTOR_REFUSAL = /^403 (GET|POST) \/(api\/admin|rest\/v1\/rpc)\//
const STEP_UP_REFUSAL =
  /^403 (DELETE \/api\/admin\/vehicles|POST \/functions\/v1\/delete-user|POST \/api\/admin\/vehicles)/

let strict: Awaited<ReturnType<typeof startSecondServer>>
test.beforeAll(async ({ product }) => {
  strict = await startSecondServer(product, { ADMIN_SECOND_FACTOR: 'required' })
})
test.afterAll(async () => {
  await strict.stop()
})

/** Opens the admin log-in and signs in with the password. */
async function openAdminArea(page: Page, admin: Person) {
  await page.goto(`${strict.url}/admin/login?next=%2Fadmin%2Fusers`)
  await signInAsAdmin(page, admin.email)
}

const ageFactors = (product: Product, admin: Person) => product.db`
  update auth.sessions set factor_verified_at = now() - interval '11 minutes' where user_id = ${admin.id}`

test('a new admin is led to set up a passkey, and is asked for it at the next sign-in', async ({
  person,
  visit,
  product,
  pageGuard,
}) => {
  pageGuard.allow(SECOND_FACTOR_REFUSAL)
  const admin = await grantAdmin(product, await person())
  const page = await visit()
  await addVirtualAuthenticator(page)
  await openAdminArea(page, admin)
  await expect(page).toHaveURL(/\/two-step\?next=%2Fadmin%2Fusers$/)
  await expect(page.getByRole('heading', { level: 1, name: 'Add a second step' })).toBeVisible()
  await page.getByRole('button', { name: 'Add a passkey or security key' }).click()
  await page.getByRole('button', { name: 'Create a passkey' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Users' })).toBeVisible()
  await expect(page.getByRole('link', { name: admin.email })).toBeVisible()

  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(/localhost:\d+\/$/)
  await openAdminArea(page, admin)
  await expect(page.getByRole('heading', { level: 1, name: 'Two-step verification' })).toBeVisible()
  await page.getByRole('button', { name: 'Use passkey' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Users' })).toBeVisible()

  // the account's page lists what happened
  await page.getByRole('link', { name: admin.email }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'User' })).toBeVisible()
  for (const text of ['Second step added', 'Second step confirmed', 'Logged in', 'Signed out']) {
    await expect(page.getByText(text, { exact: true }).first()).toBeVisible()
  }
})

test('what cannot be undone asks for the second step again after ten minutes, and then goes on @always', async ({
  person,
  visit,
  product,
  pageGuard,
}) => {
  pageGuard.allow(SECOND_FACTOR_REFUSAL)
  pageGuard.allow(STEP_UP_REFUSAL)
  pageGuard.allow(/^422 POST \/auth\/v1\/factors\/.*\/verify/)
  const admin = await grantAdmin(product, await person())
  const unwanted = await person({ fullName: 'Unwanted Person' })
  const page = await visit()
  await openAdminArea(page, admin)
  const secret = await setUpApp(page)
  const row = page.getByRole('row').filter({ hasText: unwanted.email })
  await expect(row).toBeVisible()
  await ageFactors(product, admin)
  const deleteUser = async () => {
    await row.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete user' }).click()
    await expect(page.getByRole('dialog', { name: 'Confirm it’s you' })).toBeVisible()
  }
  // closed: nothing is deleted
  await deleteUser()
  await page.keyboard.press('Escape')
  await expect(row).toBeVisible()

  await deleteUser()
  await page.getByLabel('Code', { exact: true }).fill('000000')
  await page.getByRole('button', { name: 'Confirm', exact: true }).click()
  await expect(page.getByText('That code isn’t right.')).toBeVisible()
  await product.db`update auth.factors set last_step = null` // instead of waiting for the next code
  await page.getByLabel('Code', { exact: true }).fill(currentCode(secret))
  await page.getByRole('button', { name: 'Confirm', exact: true }).click()
  await expect(page.getByText('User deleted')).toBeVisible()
  await expect(row).toHaveCount(0)
  const [left] = await product.db`select 1 from auth.users where id = ${unwanted.id}`
  expect(left).toBeUndefined()
})
