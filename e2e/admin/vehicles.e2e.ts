import type { Page } from '@playwright/test'
import { grantAdmin } from '../support/admins.ts'
import { expect, test } from '../support/fixtures.ts'
import { SERVER_ERROR } from '../support/page-objects.ts'
import { newPlate } from '../support/people.ts'

const NO_MATCHES = 'No vehicles match your filters.'
const vehicleCard = (page: Page, plate: string) =>
  page
    .getByRole('main')
    .getByRole('listitem')
    .filter({ has: page.getByRole('img', { name: `${plate},` }) })
const pressButton = (page: Page, plate: string, name: string) =>
  vehicleCard(page, plate).getByRole('button', { name }).click()

/** Delays the responses of a call until `release`, and then fails them. */
async function holdThenFail(page: Page, url: string) {
  const gate = Promise.withResolvers<void>()
  await page.route(url, async (route) => {
    await gate.promise
    await route.fulfill({ status: 500, json: SERVER_ERROR })
  })
  return {
    release: () => gate.resolve(),
    restore: () => page.unroute(url),
  }
}

test('filters are stored in the address', async ({ person, visit, product }) => {
  const [admin, owner, other] = [await grantAdmin(product, await person()), await person(), await person()]
  await owner.registerVehicle(newPlate(), 'Quebec')
  const second = await owner.registerVehicle(newPlate(), 'Manitoba')
  const theirs = await other.registerVehicle()
  const page = await visit({ as: admin, at: '/admin' })
  await page.goto('/admin/vehicles')
  await expect(vehicleCard(page, theirs.plate)).toContainText(other.email)

  await page.getByLabel('Owner email').fill(owner.email.toUpperCase())
  await expect(page.getByText('2 vehicles shown')).toBeVisible()
  await page.getByLabel('Province').selectOption('Manitoba')
  await expect(page.getByText('1 vehicle shown')).toBeVisible()
  await page.getByLabel('Status').selectOption('Verified')
  await expect(page.getByText(NO_MATCHES)).toBeVisible()
  await expect(page).toHaveURL(/\?email=[^&]+&province=Manitoba&status=verified$/)

  // going back undoes a choice, but not what was typed
  await page.goBack()
  await expect(vehicleCard(page, second.plate)).toBeVisible()
  await expect(page.getByLabel('Status')).toHaveValue('')
  await page.goBack()
  await expect(page.getByText('2 vehicles shown')).toBeVisible()
  await expect(page.getByLabel('Province')).toHaveValue('')
  await page.goForward()
  await expect(page.getByLabel('Province')).toHaveValue('Manitoba')
  await page.reload()
  await expect(page.getByText('1 vehicle shown')).toBeVisible()
  await expect(page.getByLabel('Owner email')).toHaveValue(owner.email.toUpperCase())
  await page.goBack()
  await page.goBack()
  await expect(page).toHaveURL(/\/admin$/)

  await page.goto('/admin/vehicles?province=Atlantis&status=approved')
  await expect(vehicleCard(page, theirs.plate)).toBeVisible()

  await other.registerVehicle()
  await page.goto(`/admin/vehicles?email=${other.email}`)
  await expect(page.getByText('2 vehicles shown')).toBeVisible()
  await page.getByRole('main').getByRole('listitem').last().getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete vehicle' }).click()
  await expect(page.getByText('1 vehicle shown')).toBeFocused()
})

test('every decision is shown at once, and undone when it fails', async ({ person, visit, product, pageGuard }) => {
  pageGuard.allow(/^500 (POST|DELETE) \/api\/admin\/vehicles\//)
  const [admin, owner] = [await grantAdmin(product, await person()), await person()]
  const { plate, id } = await owner.registerVehicle()
  const page = await visit({ as: admin, at: `/admin/vehicles?email=${owner.email}` })
  const one = vehicleCard(page, plate)
  await expect(one).toContainText('Active (pre-verify)')

  const reject = await holdThenFail(page, `**/api/admin/vehicles/${id}/reject`)
  await pressButton(page, plate, 'Reject')
  const dialog = page.getByRole('dialog', { name: `Reject ${plate}` })
  const reason = dialog.getByLabel('Reason')
  const send = dialog.getByRole('button', { name: 'Send Rejection' })
  await expect(reason).toBeFocused()
  await reason.fill(' The plate on the photo is another one. ')
  await send.click()
  const cardBehindDialog = page.locator(`[id="${id}"]`) // elements behind a dialog have no role
  await expect(cardBehindDialog).toContainText('Rejected')
  await page.keyboard.press('Escape')
  reject.release()
  await expect(reason).toHaveAccessibleDescription(new RegExp(SERVER_ERROR.error))
  await expect(reason).toHaveValue(' The plate on the photo is another one. ')
  await expect(cardBehindDialog).toContainText('Active (pre-verify)')
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(one).toBeFocused()
  await reject.restore()

  const remove = await holdThenFail(page, `**/api/admin/vehicles/${id}`)
  await pressButton(page, plate, 'Delete')
  const confirmation = page.getByRole('alertdialog', { name: `Delete ${plate}? This cannot be undone.` })
  await expect(confirmation).toContainText(owner.email)
  await confirmation.getByRole('button', { name: 'Delete vehicle' }).click()
  await expect(one).toHaveCount(0)
  remove.release()
  await expect(one).toContainText('Active (pre-verify)')
  await expect(page.getByText(SERVER_ERROR.error).first()).toBeVisible()
  await remove.restore()

  // the server works again: the text is still there
  await pressButton(page, plate, 'Reject')
  await expect(reason).toHaveValue(' The plate on the photo is another one. ')
  await send.click()
  await expect(one.getByText('Rejected', { exact: true })).toBeVisible()
  await expect(one).toBeFocused()
})
