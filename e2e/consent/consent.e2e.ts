import type { Page } from '@playwright/test'
import { expect, test } from '../support/fixtures.ts'
import { logIn } from '../support/page-objects.ts'

// The app's own pages ask for consent to the terms until it is given (decision 0092).

const box = (page: Page) => page.getByRole('checkbox')
const button = (page: Page, name: string) => page.getByRole('button', { name })
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })

test('whoever never agreed is asked at the first sign-in, once, and comes to the page they wanted', async ({
  person,
  visit,
  product,
}) => {
  const owner = await person({ agreed: false })
  const { plate } = await owner.registerVehicle()
  const page = await visit({ as: owner, at: '/dashboard/vehicles' })
  await expect(page).toHaveURL(/\/consent\?next=%2Fdashboard%2Fvehicles$/)
  await expect(heading(page, 'Before you go on')).toBeVisible()
  await expect(box(page)).not.toBeChecked()
  await expect(box(page)).toHaveAccessibleDescription(/at least 13 years old; in Quebec at least 14/)
  // there is no way around
  for (const path of ['/dashboard', '/send', '/dashboard/profile']) {
    await page.goto(path)
    await expect(heading(page, 'Before you go on')).toBeVisible()
  }
  await page.goto('/consent?next=%2Fdashboard%2Fvehicles')
  await button(page, 'Agree and continue').click()
  await expect(page.getByText('You must agree to the terms and conditions.')).toBeVisible()
  await box(page).check()
  await button(page, 'Agree and continue').click()
  await expect(page).toHaveURL(/\/dashboard\/vehicles$/)
  await expect(page.getByText(plate).first()).toBeVisible()

  const rows = await product.db`select locale, age_ok from consents where user_id = ${owner.id}`
  expect(rows).toEqual([{ locale: 'en', age_ok: true }])
  // neither this browser nor another one asks again
  await page.goto('/dashboard')
  await expect(heading(page, 'Hello, Alex')).toBeVisible()
  const another = await visit()
  await another.goto('/login')
  await logIn(another, owner.email)
  await expect(heading(another, 'Hello, Alex')).toBeVisible()
})

test('the question comes back in French when the terms have changed, and says since when @phone', async ({
  person,
  visit,
  product,
}) => {
  const owner = await person({ locale: 'fr-CA' })
  await product.db`
    update consents set version = '2020-01-01', given_at = '2020-02-01T15:00Z' where user_id = ${owner.id}`
  const page = await visit()
  await page.goto('/fr/login')
  await page.locator('[name=email]').fill(owner.email)
  await page.locator('[name=password]').fill('Correct-horse-7')
  await page.locator('main button[type=submit]').click()
  await expect(heading(page, 'Nos conditions ont changé')).toBeVisible()
  await expect(page.getByText('le 1er février 2020').or(page.getByText('le 1 février 2020'))).toBeVisible()
  await box(page).check()
  await button(page, 'Accepter et continuer').click()
  await expect(page).toHaveURL(/\/fr\/dashboard$/)
  const rows = await product.db`select locale from consents where user_id = ${owner.id} order by given_at`
  expect(rows).toEqual([{ locale: 'fr-CA' }, { locale: 'fr-CA' }])
})

test('whoever does not agree can take the data along, sign out, and delete the account @phone', async ({
  person,
  visit,
  product,
  pageGuard,
}) => {
  pageGuard.allow(/^40[13] (GET|POST) \/(api|auth)\//)
  const leaver = await person({ agreed: false })
  const page = await visit({ as: leaver, at: '/dashboard' })
  await button(page, 'I do not agree').click()
  await expect(page.getByRole('heading', { name: 'You do not agree' })).toBeFocused()
  const download = page.waitForEvent('download')
  await button(page, 'Download my data').click()
  expect((await download).suggestedFilename()).toMatch(/^platenote-export-.*\.json$/)

  const other = await visit({ as: leaver, at: '/dashboard' })
  await button(other, 'Sign out').click()
  await expect(other).toHaveURL(`${product.url}/`)

  await button(page, 'Delete my account').click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete my account' }).click()
  await expect(page.getByText('Account deleted.')).toBeVisible()
  expect(await product.db`select from auth.users where id = ${leaver.id}`).toHaveLength(0)
})

test('a connection that fails says so, and nothing is recorded', async ({ person, visit, product, pageGuard }) => {
  pageGuard.allow(/net::ERR_INTERNET_DISCONNECTED/)
  const owner = await person({ agreed: false })
  const page = await visit({ as: owner, at: '/dashboard' })
  await box(page).check()
  await page.context().setOffline(true)
  await button(page, 'Agree and continue').click()
  await expect(page.getByRole('alert')).toContainText('No connection to PlateNote.')
  await expect(box(page)).toBeChecked()
  expect(await product.db`select from consents where user_id = ${owner.id}`).toHaveLength(0)
  await page.context().setOffline(false)
  await button(page, 'Agree and continue').click()
  await expect(heading(page, 'Hello, Alex')).toBeVisible()
})
