import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { newPlate } from './people.ts'

const LIST = '**/api/vehicles?*'
const ONE = '**/api/vehicles/*'

async function fill(page: Page, plate: string) {
  await page.getByLabel('License Plate').fill(plate)
  await page.getByLabel('Make').selectOption('Toyota')
  await page.getByLabel('Model').selectOption('Corolla')
  await page.getByLabel('Year').selectOption('1999')
  await page.getByLabel('Province').selectOption('Quebec')
}

const register = (page: Page) => page.getByRole('button', { name: 'Register vehicle' }).click()

test('the form asks for what is missing and keeps its order', async ({ person, visit }) => {
  const page = await visit({ as: await person(), at: '/dashboard/vehicle/new' })
  const button = page.getByRole('button', { name: 'Register vehicle' })
  await expect(button).toBeDisabled()
  await page.getByLabel('License Plate').pressSequentially('ab 12')
  await expect(page.getByLabel('License Plate')).toHaveValue('AB12')
  await button.click()
  for (const text of ['make', 'year', 'province'])
    await expect(page.getByText(`Please choose a ${text}.`)).toBeVisible()

  const years = await page.getByLabel('Year').getByRole('option').allTextContents()
  expect(years.slice(1, 3)).toEqual([String(new Date().getFullYear()), String(new Date().getFullYear() - 1)])
  expect(years.at(-1)).toBe('1980')
  await expect(page.getByLabel('Province').getByRole('option')).toHaveCount(11)

  await page.getByLabel('Make').selectOption('Honda')
  await page.getByLabel('Model').selectOption('Civic')
  await page.getByLabel('Make').selectOption('Toyota')
  await expect(page.getByLabel('Model')).toHaveValue('')
  await expect(page.getByLabel('Model').getByRole('option', { name: 'Civic' })).toHaveCount(0)
})

test('what the server refuses is said, and the form stays as it was', async ({ person, visit, watch }) => {
  watch.allow(/^409 POST \/register-plate/, /net::ERR_INTERNET_DISCONNECTED/)
  const owner = await person()
  const { plate } = await owner.registers(newPlate(), 'Quebec')
  const page = await visit({ as: owner, at: '/dashboard/vehicle/new' })
  await fill(page, plate)
  await register(page)
  await expect(page.getByRole('alert')).toContainText('You have already registered this plate.')
  await expect(page.getByLabel('Model')).toHaveValue('Corolla')

  await page.context().setOffline(true)
  await register(page)
  await expect(page.getByRole('alert')).toContainText('No connection to PlateNote.')
  await page.context().setOffline(false)
  await page.getByLabel('License Plate').fill(newPlate())
  await register(page)
  await expect(page.getByText('Plate registered successfully.')).toBeVisible()
  await page.goto('/dashboard/vehicle/new')
  await expect(page.getByLabel('Province')).toHaveValue('Quebec') // as last time
})

test('a plate somebody has starts a dispute, which both see', async ({ person, visit, product }) => {
  const [first, second] = [await person(), await person()]
  const { plate } = await first.registers(newPlate(), 'Quebec')
  const theirs = await visit({ as: first, at: '/dashboard/vehicles' })
  await expect(theirs.getByText('Active', { exact: true })).toBeVisible()

  const page = await visit({ as: second, at: '/dashboard/vehicle/new' })
  await fill(page, plate)
  await register(page)
  await expect(page.getByText('Conflict detected—verification requested via email.')).toBeVisible()
  await expect(page.getByText('Pending Verification')).toBeVisible()
  await expect(page.getByText('Another account has this plate')).toBeVisible()
  await theirs.reload()
  await expect(theirs.getByText('Somebody else registered this plate')).toBeVisible()
  await expect(theirs.getByText('Pending Verification')).toBeVisible()
  await product.inbox.to(first.email, 2)
  await product.inbox.to(second.email, 2)
})

test('deleting asks, and takes the card away or brings it back', async ({ person, visit, watch }) => {
  watch.allow(/^500 DELETE \/api\/vehicles/, /net::ERR_FAILED/)
  const owner = await person()
  const { plate, id } = await owner.registers()
  const page = await visit({ as: owner, at: `/dashboard/vehicles#${id}` })
  const card = page.getByRole('img', { name: `Licence plate ${plate}, Ontario` })
  const remove = page.getByRole('button', { name: `Delete ${plate}` })
  const dialog = page.getByRole('alertdialog', { name: `Delete ${plate}?` })
  await remove.click()
  await expect(dialog).toContainText('This cannot be undone.')
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(remove).toBeFocused()

  const held = Promise.withResolvers<void>()
  await page.route(ONE, async (route) => {
    await held.promise
    await route.fulfill({ status: 500, json: { error: 'The database is asleep.', code: 'unexpected' } })
  })
  await remove.click()
  await dialog.getByRole('button', { name: 'Delete vehicle' }).click()
  await expect(card).toHaveCount(0)
  held.resolve()
  await expect(page.getByText('Delete failed: The database is asleep.')).toBeVisible()
  await expect(card).toBeVisible()

  await page.unroute(ONE)
  await remove.click()
  await dialog.getByRole('button', { name: 'Delete vehicle' }).click()
  await expect(page.getByText('Vehicle deleted')).toBeVisible()
  await expect(page.getByText('No vehicles yet')).toBeVisible()
  await page.reload()
  await expect(page.getByText('No vehicles yet')).toBeVisible()
  await page.goto(`/dashboard/vehicles#${id}`)
  await page.reload()
  await expect(page.getByText('The vehicle this link leads to is no longer in your list.')).toBeVisible()
})

test('loading and error have their screens', async ({ person, visit, watch }) => {
  watch.allow(/^400 GET \/(api\/vehicles|make_models)/)
  const page = await visit({ as: await person() })
  const json = { error: 'Please check what you entered.', code: 'invalid_input' }
  const held = Promise.withResolvers<void>()
  await page.route(LIST, async (route) => {
    await held.promise
    await route.fulfill({ status: 400, json })
  })
  await page.goto('/dashboard/vehicles')
  await expect(page.getByRole('main').getByText('Loading…')).toBeAttached()
  held.resolve()
  const alert = page.getByRole('alert').filter({ hasText: json.error })
  await expect(alert).toBeVisible()
  await page.unroute(LIST)
  await alert.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('No vehicles yet')).toBeVisible()

  await page.route('**/make_models.json', (route) => route.fulfill({ status: 400, json }))
  await page.goto('/dashboard/vehicle/new')
  await expect(page.getByText('The list of makes did not load.')).toBeVisible()
  await page.unroute('**/make_models.json')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByLabel('Make').getByRole('option', { name: 'Honda' })).toBeAttached()
})
