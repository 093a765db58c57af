import { expect, test } from '../support/fixtures.ts'
import { chooseForVehicle } from '../support/page-objects.ts'

test('an owner invites a driver by a code and another by a link, and a driver answers a sender @phone', async ({
  person,
  visit,
  audit,
}) => {
  const [owner, driver, other, sender] = [
    await person({ fullName: 'Olga Roy' }),
    await person({ fullName: 'Dan Roy' }),
    await person(),
    await person(),
  ]
  const { id, plate } = await owner.registerVehicle()
  const owners = await visit({ as: owner, at: '/dashboard/vehicles' })
  const owned = owners.locator(`[id="${id}"]`)
  await chooseForVehicle(owners, plate, 'Who drives it')
  await expect(owned.getByRole('region', { name: 'Who drives it' })).toBeFocused()
  await expect(owned).toContainText('Only you get messages about this vehicle.')
  await owners.getByRole('button', { name: 'Show a code' }).click()
  const code = await owners.getByText(/^[2-9A-Z]{4}-[2-9A-Z]{4}$/).textContent()
  await audit(owners, 'code on the screen')
  await owners.getByRole('button', { name: 'Link for an email address' }).click()
  await owners.getByRole('button', { name: 'Make the link' }).click()
  await expect(owners.getByLabel('Their email address')).toHaveAttribute('aria-invalid', 'true')
  await audit(owners, 'link without an address')
  await owners.getByLabel('Their email address').fill(other.email)
  await owners.getByRole('button', { name: 'Make the link' }).click()
  const link = await owners.getByText(/\/invite#code=/).textContent()
  await owners.evaluate(() =>
    Object.assign(navigator.clipboard, { writeText: () => Promise.reject(new Error('denied')) }),
  )
  await owners.getByRole('button', { name: 'Copy the link' }).click()
  await expect(owners.getByText('The link could not be copied.')).toBeVisible()
  const others = await visit({ as: other, at: link! })
  await others.getByRole('button', { name: 'Join' }).click()
  await expect(others.locator(`[id="${id}"]`)).toContainText('You drive this vehicle')
  await others.locator(`[id="${id}"]`).getByText('Who drives it').click()
  await others.locator(`[id="${id}"]`).getByRole('button', { name: 'Leave this vehicle' }).click()
  await expect(others.locator(`[id="${id}"]`)).toHaveCount(0)

  const drivers = await visit({ as: driver, at: '/invite' })
  await drivers.getByRole('button', { name: 'Join' }).click()
  await expect(drivers.locator('[name=code]')).toHaveAttribute('aria-invalid', 'true')
  await audit(drivers, 'invitation without a code')
  await drivers.locator('[name=code]').fill(code!.toLowerCase())
  await drivers.getByRole('button', { name: 'Join' }).click()
  const driven = drivers.locator(`[id="${id}"]`)
  await expect(driven).toContainText('You drive this vehicle')
  await driven.getByText('Who drives it').click()
  await expect(driven).toContainText('Olga Roy')
  await audit(drivers, 'people of a vehicle')

  await drivers.goto('/dashboard/messages?view=received')
  const senders = await visit({ as: sender, at: '/dashboard/messages?view=sent' })
  const first = await sender.sendMessage(plate, 'Please come')
  await drivers.getByRole('link', { name: /Please come/ }).click() // by the live stream
  await senders.goto(`/dashboard/messages?view=sent#${first}`)
  await drivers.getByRole('article').getByRole('button', { name: 'I’m coming now' }).click()
  await expect(senders.getByRole('article')).toContainText('The owner is coming now.') // by the live stream
  await owners.goto(`/dashboard/messages?view=received#${first}`)
  await expect(owners.getByRole('article')).toContainText('A driver is on the way')

  await drivers.goto('/dashboard/vehicles')
  await driven.getByText('Who drives it').click()
  await driven.getByRole('button', { name: 'Leave this vehicle' }).click()
  await expect(driven).toHaveCount(0)
  await drivers.goto('/dashboard/messages?view=received')
  await expect(drivers.getByText('No messages yet')).toBeVisible()
  await owners.goto('/dashboard/vehicles')
  await chooseForVehicle(owners, plate, 'Who drives it')
  await expect(owned.getByRole('region', { name: 'Who drives it' })).toBeFocused()
  await expect(owned).toContainText('Only you get messages about this vehicle.')
})
