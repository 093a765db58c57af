import type { Page } from '@playwright/test'
import { grantAdmin } from '../support/admins.ts'
import { expect, test } from '../support/fixtures.ts'
import { newPlate } from '../support/people.ts'
import { SERVER_ERROR } from '../support/test-data.ts'

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

test('filters are stored in the address, and take special characters literally', async ({ person, visit, product }) => {
  const [admin, owner, other] = [await grantAdmin(product, await person()), await person(), await person()]
  const mine = await owner.registerVehicle(newPlate(), 'Quebec')
  const second = await owner.registerVehicle(newPlate(), 'Manitoba')
  const theirs = await other.registerVehicle()
  const page = await visit({ as: admin, at: '/admin' })
  await page.goto('/admin/vehicles')
  await expect(vehicleCard(page, theirs.plate)).toContainText(other.email)
  await expect(page.getByLabel('Status').getByRole('option')).toHaveText([
    'All Statuses',
    'Active (pre-verify)',
    'Pending Verification',
    'Rejected',
    'Verified',
  ])
  await expect(page.getByLabel('Province').getByRole('option')).toHaveCount(11)
  await expect(page.getByLabel('Province').getByRole('option').first()).toHaveText('All Provinces')

  const plate = page.getByLabel('Plate', { exact: true })
  await plate.pressSequentially(`${mine.plate.slice(0, 3)}-${mine.plate.slice(3)}`.toLowerCase())
  await expect(page).toHaveURL(/\?plate=e2e-\d+$/)
  await expect(page.getByText('1 vehicle shown')).toBeVisible()
  await expect(vehicleCard(page, mine.plate)).toContainText('Honda Civic 2020')
  await expect(plate).toBeFocused()
  await plate.fill('')
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
  for (const [label, typed] of [
    ['Owner email', '%'],
    ['Owner email', '_'],
    ['Plate', '%'],
    ['Plate', "' or 1=1 --"],
  ] as const) {
    await page.getByLabel(label, { exact: true }).fill(typed)
    await expect(page.getByText(NO_MATCHES)).toBeVisible()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await expect(page.getByLabel(label, { exact: true })).toHaveValue('')
    await expect(vehicleCard(page, theirs.plate)).toBeVisible()
  }
})

test('every decision is shown at once, and undone when the server fails @always', async ({
  person,
  visit,
  product,
  pageGuard,
}) => {
  pageGuard.allow(/^500 (POST|DELETE) \/api\/admin\/vehicles\//)
  const [admin, owner] = [await grantAdmin(product, await person()), await person()]
  const { plate, id } = await owner.registerVehicle()
  const page = await visit({ as: admin, at: `/admin/vehicles?email=${owner.email}` })
  const one = vehicleCard(page, plate)
  await expect(one).toContainText('Active (pre-verify)')

  const approve = await holdThenFail(page, `**/api/admin/vehicles/${id}/approve`)
  await pressButton(page, plate, 'Approve')
  await expect(one.getByText('Verified', { exact: true })).toBeVisible()
  await expect(one.getByRole('button', { name: 'Approve' })).toHaveCount(0)
  await expect(one).toBeFocused() // the button that had the focus is gone
  approve.release()
  await expect(page.getByText(SERVER_ERROR.error)).toBeVisible()
  await expect(one).toContainText('Active (pre-verify)')
  await approve.restore()

  const reject = await holdThenFail(page, `**/api/admin/vehicles/${id}/reject`)
  await pressButton(page, plate, 'Reject')
  const dialog = page.getByRole('dialog', { name: `Reject ${plate}` })
  const reason = dialog.getByLabel('Reason')
  const send = dialog.getByRole('button', { name: 'Send Rejection' })
  await expect(reason).toBeFocused()
  await expect(reason).toHaveAttribute('rows', '4')
  await expect(send).toBeDisabled()
  await reason.fill('  \n ')
  await expect(send).toBeDisabled()
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
  await pressButton(page, plate, 'Approve')
  await expect(page.getByText('Vehicle approved; dispute cleared & peer deleted')).toBeVisible()
  await pressButton(page, plate, 'Reject')
  await expect(reason).toHaveValue(' The plate on the photo is another one. ')
  await send.click()
  await expect(page.getByText('Vehicle rejected & email sent')).toBeVisible()
  await expect(one.getByText('Rejected', { exact: true })).toBeVisible()
  await expect(one).toBeFocused()
  await expect(one.getByRole('button', { name: 'Reject' })).toHaveCount(0)
  const mails = await product.inbox.to(owner.email, 3) // the first confirmed the address
  expect(mails.map(({ parsed }) => parsed.subject)).toEqual([
    expect.any(String),
    `Your plate ${plate} is verified`,
    `Your registration of plate ${plate} was rejected`,
  ])
  expect(mails[2]?.parsed.text).toContain('The plate on the photo is another one.')

  await pressButton(page, plate, 'Delete')
  await confirmation.getByRole('button', { name: 'Cancel' }).click()
  await pressButton(page, plate, 'Delete')
  await confirmation.getByRole('button', { name: 'Delete vehicle' }).click()
  await expect(page.getByText('Vehicle deleted', { exact: true })).toBeVisible()
  await expect(page.getByText(NO_MATCHES)).toBeVisible()
  const theirs = await visit({ as: owner, at: '/dashboard/notifications' })
  await expect(theirs.getByRole('main').getByRole('listitem')).toContainText([
    `Your vehicle (${plate}) was deleted`,
    `Your vehicle (${plate}) was rejected`,
    `Your vehicle (${plate}) was approved`,
  ])
})

test('when another admin was faster, the server’s message is shown, and then the current state', async ({
  person,
  visit,
  product,
  pageGuard,
}) => {
  pageGuard.allow(/^409 POST \/api\/admin\/vehicles\//, /^404 DELETE \/api\/admin\/vehicles\//)
  const [admin, owner] = [await grantAdmin(product, await person()), await person()]
  const [first, second] = [await owner.registerVehicle(), await owner.registerVehicle()]
  const [page, colleague] = [await visit({ as: admin }), await visit({ as: admin })]
  const at = `/admin/vehicles?email=${owner.email}`
  await page.goto(at)
  await colleague.goto(at)
  await expect(vehicleCard(colleague, first.plate)).toBeVisible()
  await pressButton(page, first.plate, 'Approve')
  await expect(page.getByText('Vehicle approved;')).toBeVisible()
  await pressButton(colleague, first.plate, 'Approve')
  await expect(colleague.getByText('This vehicle is already verified.')).toBeVisible()
  await expect(vehicleCard(colleague, first.plate).getByText('Verified', { exact: true })).toBeVisible()

  const confirmRemoval = (of: Page) =>
    of.getByRole('alertdialog').getByRole('button', { name: 'Delete vehicle' }).click()
  await pressButton(page, second.plate, 'Delete')
  await pressButton(colleague, second.plate, 'Delete')
  await confirmRemoval(page)
  await expect(page.getByText('Vehicle deleted', { exact: true })).toBeVisible()
  await confirmRemoval(colleague)
  await expect(colleague.getByText('Not found.')).toBeVisible()
  await expect(vehicleCard(colleague, second.plate)).toHaveCount(0)
})

test('the list loads page by page, and says when it could not be loaded', async ({
  person,
  visit,
  product,
  pageGuard,
}) => {
  pageGuard.allow(/^400 GET \/api\/admin\/vehicles/)
  const [admin, owner] = [await grantAdmin(product, await person()), await person()]
  for (let i = 0; i < 22; i++) await owner.registerVehicle()
  const { plate: newest } = await owner.registerVehicle()
  const page = await visit({ as: admin })
  const json = { error: 'The books are being moved.', code: 'unexpected' }
  await page.route('**/api/admin/vehicles?*', (route) => route.fulfill({ status: 400, json }))
  await page.goto(`/admin/vehicles?email=${owner.email}`)
  await expect(page.getByRole('alert')).toContainText(json.error)
  await page.unroute('**/api/admin/vehicles?*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('20 vehicles shown')).toBeVisible()
  await expect(page.getByRole('main').getByRole('listitem').first().getByRole('img')).toHaveAccessibleName(
    new RegExp(newest),
  )
  await page.getByRole('button', { name: 'Load more' }).click()
  await expect(page.getByText('23 vehicles shown')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Load more' })).toHaveCount(0)
  await page.getByRole('main').getByRole('listitem').last().getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete vehicle' }).click()
  await expect(page.getByText('22 vehicles shown')).toBeVisible()
  await expect(page.getByText('22 vehicles shown')).toBeFocused()
  await expect(page.getByText('Vehicle deleted', { exact: true })).toBeVisible()
})

test('approving a rejected vehicle asks for confirmation, because others may be waiting for its plate', async ({
  person,
  visit,
  product,
}) => {
  const admin = await grantAdmin(product, await person())
  const [owner, rejected, waiting] = [await person(), await person(), await person()]
  const first = await rejected.registerVehicle()
  const { plate } = first
  await admin.rejectVehicle(first, 'The documents are of another car.')
  await owner.registerVehicle(plate)
  await waiting.registerVehicle(plate)
  const page = await visit({ as: admin, at: `/admin/vehicles?email=${rejected.email}` })
  await pressButton(page, plate, 'Approve')
  const confirmation = page.getByRole('alertdialog', { name: `Approve ${plate} for this owner?` })
  await expect(confirmation).toContainText('Anyone else waiting for this plate loses it')
  expect(await product.db`select 1 from vehicles where plate = ${plate}`).toHaveLength(3)
  await confirmation.getByRole('button', { name: 'Approve', exact: true }).click()
  await expect(vehicleCard(page, plate).getByText('Verified', { exact: true })).toBeVisible()
  await expect(page.getByText('Vehicle approved; dispute cleared & peer deleted')).toBeVisible()
  expect(await product.db`select 1 from vehicles where plate = ${plate}`).toHaveLength(1)
})
