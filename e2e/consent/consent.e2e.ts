import type { Page } from '@playwright/test'
import { expect, test } from '../support/fixtures.ts'
import { logIn } from '../support/page-objects.ts'

// The app's own pages ask for consent to the terms until it is given (decision terms-consent).

const box = (page: Page) => page.getByRole('checkbox')
const button = (page: Page, name: string) => page.getByRole('button', { name })
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })

test('a user who never agreed is asked at the first sign-in, once, and lands on the page they wanted @phone', async ({
  person,
  visit,
  product,
  audit,
}) => {
  const hello = 'Hello, Alex'
  const owner = await person({ agreed: false })
  const { plate } = await owner.registerVehicle()
  const page = await visit({ as: owner, at: '/dashboard/vehicles' })
  await expect(page).toHaveURL(/\/consent\?next=.*vehicles$/)
  const question = page.url()
  expect(new URL(question).pathname).toBe('/consent')
  await expect(heading(page, 'Before you go on')).toBeVisible()
  await expect(box(page)).not.toBeChecked()
  await expect(box(page)).toHaveAccessibleDescription(/in Quebec at least 14/)
  // there is no way around
  for (const path of ['/dashboard', '/send', '/dashboard/profile']) {
    await page.goto(path)
    await expect(heading(page, 'Before you go on')).toBeVisible()
  }
  await page.goto(question)
  await button(page, 'Agree and continue').click()
  await expect(page.getByText('You must agree to the terms and conditions.')).toBeVisible()
  await audit(page, 'consent')
  await box(page).check()
  await button(page, 'Agree and continue').click()
  await expect(page).toHaveURL(`${product.url}/dashboard/vehicles`)
  await expect(page.getByText(plate).first()).toBeVisible()

  const rows = await product.db`select locale, age_ok from consents where user_id = ${owner.id}`
  expect(rows).toEqual([{ locale: 'en', age_ok: true }])
  // neither this browser nor another one asks again
  await page.goto('/dashboard')
  await expect(heading(page, hello)).toBeVisible()
  const another = await visit({ at: '/login' })
  await logIn(another, owner.email)
  await expect(heading(another, hello)).toBeVisible()
})

test('the question comes back in French when the terms change @phone', async ({ person, visit, product }) => {
  const owner = await person({ locale: 'fr-CA' })
  await product.db`
    update consents set version = '2020-01-01', given_at = '2020-02-01T15:00Z' where user_id = ${owner.id}`
  const page = await visit()
  await page.goto('/fr/login')
  await logIn(page, owner.email)
  await expect(heading(page, 'Nos conditions ont changé')).toBeVisible()
  await expect(page.getByText('le 1er février 2020').or(page.getByText('le 1 février 2020'))).toBeVisible()
  await box(page).check()
  const given = () => product.db`select locale from consents where user_id = ${owner.id} order by given_at`
  await button(page, 'Accepter et continuer').click()
  await expect(page).toHaveURL(/\/fr\/dashboard$/)
  expect(await given()).toEqual([{ locale: 'fr-CA' }, { locale: 'fr-CA' }])
})

test('a user who does not agree can download the data, sign out, and delete the account @phone', async ({
  person,
  visit,
  product,
  pageGuard,
  audit,
}) => {
  pageGuard.allow(/^40[13] (GET|POST) \/(api|auth)\//)
  const leaver = await person({ agreed: false })
  const page = await visit({ as: leaver, at: '/dashboard' })
  await button(page, 'I don’t agree').click()
  await expect(page.getByRole('heading', { name: 'You don’t agree' })).toBeFocused()
  await audit(page, 'does not agree')
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
