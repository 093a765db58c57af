import type { Page } from '@playwright/test'
import { newId } from '../../server/src/db/ids.ts'
import { grantAdmin } from '../support/admins.ts'
import { expect, test } from '../support/fixtures.ts'
import { menu } from '../support/page-objects.ts'
import { newEmail, PASSWORD } from '../support/people.ts'

const userRow = (page: Page, email: string) => page.getByRole('row').filter({ hasText: email })
const searchField = (page: Page) => page.getByLabel('Search users')
const deletionDialog = (page: Page) => page.getByRole('alertdialog', { name: 'Confirm deletion' })

test('users are found by parts of their email address or name, and by nothing else @always', async ({
  person,
  visit,
  product,
}) => {
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
})

test('the list loads page by page', async ({ person, visit, product }) => {
  const admin = await grantAdmin(product, await person())
  const many = Array.from({ length: 45 }, (_, i) => ({ id: newId(), email: newEmail(`crowd-${i}`) }))
  await product.db`insert into auth.users ${product.db(many)}`
  const page = await visit({ as: admin, at: '/admin/users?search=crowd-' })
  const rows = page.getByRole('table').getByRole('row')
  await expect(page.getByText('20 users shown')).toBeVisible()
  await page.getByRole('button', { name: 'Load more' }).click()
  await expect(page.getByText('40 users shown')).toBeVisible()
  await page.getByRole('button', { name: 'Load more' }).click()
  await expect(page.getByText('45 users shown')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Load more' })).toBeHidden()
  await expect(rows).toHaveCount(1 + many.length)
  const emails = await page.locator('tbody td:first-child').allTextContents()
  expect(emails.toSorted()).toEqual(many.map(({ email }) => email).toSorted())
  await product.db`delete from auth.users where email like 'crowd-%'`
})

test('a failed deletion brings the row back and gives the reason; a successful one is final', async ({
  person,
  visit,
  product,
  pageGuard,
}) => {
  pageGuard.allow(/^500 POST \/functions\/v1\/delete-user/)
  const admin = await grantAdmin(product, await person())
  const leaver = await person({ fullName: 'Noa Leaver' })
  const { plate } = await leaver.registerVehicle()
  const page = await visit({ as: admin, at: `/admin/users?search=${leaver.email}` })
  const deleteButton = userRow(page, leaver.email).getByRole('button', { name: 'Delete' })
  const dialog = deletionDialog(page)

  await expect(deleteButton).toHaveAccessibleDescription(leaver.email)
  await deleteButton.click()
  await expect(dialog).toContainText('Are you sure you want to delete this user? This action cannot be undone.')
  await expect(dialog).toContainText('Noa Leaver')
  await expect(dialog).toContainText(leaver.email)
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(deleteButton).toBeFocused()

  let releaseFailure = () => {}
  const failureReleased = new Promise<void>((resolve) => {
    releaseFailure = resolve
  })
  await page.route('**/functions/v1/delete-user', async (route) => {
    await failureReleased
    await route.fulfill({ status: 500, json: { error: 'Try later, please.', code: 'unexpected' } })
  })
  await deleteButton.click()
  await dialog.getByLabel('Reason').fill('Asked by letter')
  await dialog.getByRole('button', { name: 'Delete user' }).click()
  await expect(page.getByText('No users found.')).toBeVisible() // at once, before the server has responded
  releaseFailure()
  await expect(page.getByText('Try later, please.')).toBeVisible()
  await expect(userRow(page, leaver.email)).toBeVisible()
  await page.unroute('**/functions/v1/delete-user')

  await deleteButton.click()
  await expect(dialog.getByLabel('Reason')).toHaveValue('Asked by letter')
  await dialog.getByRole('button', { name: 'Delete user' }).click()
  await expect(page.getByText('User deleted')).toBeVisible()
  await expect(page.getByText('0 users shown')).toBeFocused() // the focus is not lost with the row
  await page.reload()
  await expect(page.getByText('No users found.')).toBeVisible()
  const remaining = await product.db`select 1 from vehicles where plate = ${plate}`
  expect(remaining).toHaveLength(0)
  const body = JSON.stringify({ email: leaver.email, password: PASSWORD })
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`${product.url}/auth/v1/token?grant_type=password`, { method: 'POST', headers, body })
  expect(response.status).toBe(400)

  await page.goto('/admin/audit-log')
  await expect(
    page.getByRole('listitem').or(page.getByRole('row')).filter({ hasText: 'Asked by letter' }),
  ).toBeVisible()
})

test('the last admin cannot be deleted; another one can, and is signed out', async ({
  person,
  visit,
  product,
  pageGuard,
}) => {
  pageGuard.allow(/^409 POST \/functions\/v1\/delete-user/, /^40[013] POST \/auth\/v1\/logout/, /^401 /)
  const admin = await person({ fullName: 'Robin Gagnon' })
  await product.db`update auth.users set is_admin = (id = ${admin.id})`
  const page = await visit({ as: admin, at: `/admin/users?search=${admin.email}` })
  const deleteButton = userRow(page, admin.email).getByRole('button', { name: 'Delete' })
  await deleteButton.click()
  await expect(deletionDialog(page)).toContainText('This is your own account. You will be signed out.')
  await expect(deletionDialog(page).getByLabel('Reason')).toBeHidden()
  await deletionDialog(page).getByRole('button', { name: 'Delete user' }).click()
  await expect(page.getByText('The last admin can’t be deleted. Make someone else an admin first.')).toBeVisible()
  await expect(userRow(page, admin.email)).toBeVisible()
  await page.reload()
  await expect(userRow(page, admin.email)).toBeVisible()

  await grantAdmin(product, await person())
  await deleteButton.click()
  await deletionDialog(page).getByRole('button', { name: 'Delete user' }).click()
  await expect(page).toHaveURL(/localhost:\d+\/$/)
  await expect(page.getByText('User deleted')).toBeVisible()
  await expect(page.getByRole('banner').getByRole('link', { name: 'Log In' })).toBeVisible()
  await page.goto('/admin')
  await expect(page).toHaveURL(/\/admin\/login\?next=%2Fadmin$/)
})

test('the admin area fits a phone, in French @phone', async ({ person, visit, product }) => {
  const admin = await grantAdmin(product, await person({ locale: 'fr-CA', fullName: 'Élodie Gagnon' }))
  const leaver = await person({ fullName: 'Noé Partant' })
  const page = await visit({ as: admin, at: '/fr/admin' })
  await expect(page.getByRole('region', { name: 'Véhicules enregistrés' }).getByRole('status')).toHaveText(
    /^Toutes les provinces\s: \d+$/,
  )
  await page.getByRole('banner').getByRole('button', { name: 'Menu' }).tap()
  await expect(page.getByRole('banner').getByText('Élodie Gagnon')).toBeVisible()
  await page.getByRole('navigation').getByRole('link', { name: 'Utilisateurs' }).tap()
  await expect(page).toHaveURL(/\/fr\/admin\/users$/)
  await expect(page.getByRole('navigation')).toBeHidden()
  await page.getByPlaceholder('Rechercher par adresse courriel ou par nom…').fill('partant')
  await expect(page.getByText('1 utilisateur affiché')).toBeVisible()
  await expect(page.getByRole('cell', { name: leaver.email })).toBeVisible()
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0)
  await page.getByRole('button', { name: 'Supprimer' }).tap()
  const dialog = page.getByRole('alertdialog', { name: 'Confirmer la suppression' })
  await dialog.getByRole('button', { name: 'Supprimer l’utilisateur' }).tap()
  await expect(page.getByText('Utilisateur supprimé')).toBeVisible()
  await expect(page.getByText('Aucun utilisateur trouvé.')).toBeVisible()
})

test('the menu shows the number of open disputes', async ({ person, visit, product }) => {
  const [admin, one, other] = [await grantAdmin(product, await person()), await person(), await person()]
  const { plate } = await one.registerVehicle()
  await other.registerVehicle(plate)
  const [open] = await product.db<{ count: number }[]>`select count(*)::int from plate_disputes`
  const page = await visit({ as: admin, at: '/admin' })
  await menu(page).open()
  await expect(menu(page).link('Disputes')).toContainText(`${open?.count} open dispute`)
})
