import type { Page } from '@playwright/test'
import { grantAdmin, signInAsAdmin } from '../support/admins.ts'
import { addVirtualAuthenticator } from '../support/authenticators.ts'
import { expect, testAsInstalled as test } from '../support/fixtures.ts'
import type { Person } from '../support/people.ts'

// Admins where a second factor is required, as in production (decision second-factor).

/** Opens the admin log-in and signs in with the password. */
async function openAdminArea(page: Page, admin: Person) {
  await page.goto('/admin/login?next=%2Fadmin%2Fusers')
  await signInAsAdmin(page, admin.email)
}

test('a new admin is led to set up a passkey, and is asked for it at the next sign-in', async ({
  person,
  visit,
  product,
  pageGuard,
}) => {
  pageGuard.allow(/^403 (GET|POST) \/(api\/admin|rest\/v1\/rpc)\//)
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
