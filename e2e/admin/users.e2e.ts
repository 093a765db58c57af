import type { Page } from '@playwright/test'
import { newId } from '../../server/src/db/ids.ts'
import { grantAdmin } from '../support/admins.ts'
import { expect, test } from '../support/fixtures.ts'
import { newEmail } from '../support/people.ts'

const userRow = (page: Page, email: string) => page.getByRole('row').filter({ hasText: email })
const searchField = (page: Page) => page.getByLabel('Search users')

test('users are found by parts of their email address or name, page by page', async ({ person, visit, product }) => {
  const admin = await grantAdmin(product, await person())
  const percent = await person({ fullName: 'Ana 50%_off' })
  const plain = await person({ fullName: 'Ana 50 off' })
  await product.db`update auth.users set user_metadata = '{}' where id = ${plain.id}`
  const page = await visit({ as: admin, at: '/admin/users' })
  await expect(userRow(page, plain.email).getByRole('cell').nth(1)).toContainText('—')
  await expect(page.getByRole('columnheader')).toHaveText(['Email', 'Name', 'Actions'])

  await searchField(page).pressSequentially('50%_')
  await expect(page).toHaveURL(/\/admin\/users\?search=50%25_$/)
  await expect(page.getByText('1 user shown')).toBeVisible()
  await expect(userRow(page, percent.email)).toContainText('Ana 50%_off')
  await expect(searchField(page)).toBeFocused()
  await page.reload()
  await expect(searchField(page)).toHaveValue('50%_')
  await expect(page.getByText('1 user shown')).toBeVisible()

  await searchField(page).fill(plain.email.toUpperCase())
  await expect(userRow(page, plain.email)).toBeVisible()
  await expect(page.getByText('1 user shown')).toBeVisible()
  await searchField(page).fill("nobody' or 1=1 --")
  await expect(page.getByText('No users found.')).toBeVisible()
  await page.getByRole('button', { name: 'Show all users' }).click()
  await expect(page).toHaveURL(/\/admin\/users$/)
  await expect(searchField(page)).toHaveValue('')
  await expect(userRow(page, admin.email)).toBeVisible()
  await page.goBack()
  await expect(page.getByText('No users found.')).toBeVisible()

  const many = Array.from({ length: 25 }, (_, i) => ({ id: newId(), email: newEmail(`crowd-${i}`) }))
  await product.db`insert into auth.users ${product.db(many)}`
  await searchField(page).fill('crowd-')
  await expect(page.getByText('20 users shown')).toBeVisible()
  await page.getByRole('button', { name: 'Load more' }).click()
  await expect(page.getByText('25 users shown')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Load more' })).toBeHidden()
  const emails = await page.locator('tbody td:first-child').allTextContents()
  expect(emails.toSorted()).toEqual(many.map(({ email }) => email).toSorted())
  await product.db`delete from auth.users where email like 'crowd-%'`
})
