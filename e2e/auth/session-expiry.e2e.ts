import { expect, test } from '../support/fixtures.ts'
import { logIn } from '../support/page-objects.ts'
import { newPlate } from '../support/people.ts'

test('drafts in several tabs survive the end of the session', async ({ person, visit, pageGuard }) => {
  pageGuard.allow(/^40[013] (GET|POST) \/(api|auth|register-plate)/, /net::ERR_FAILED/)
  const [owner, sender] = [await person(), await person()]
  const { plate } = await owner.registerVehicle()
  await sender.sendMessage(plate, 'Your lights are on.')

  const reply = await visit({ as: owner })
  // noticed when something is submitted, not before by the live stream
  await reply.context().route('**/api/live', (route) => route.abort())
  await reply.goto('/dashboard/messages?view=received')
  await reply.getByLabel('Reply').fill('Thank you, I am on my')
  const vehicle = await reply.context().newPage()
  await vehicle.goto('/dashboard/vehicle/new')
  const other = newPlate()
  await vehicle.getByLabel('License Plate').fill(other)
  await vehicle.getByLabel('Make').selectOption('Honda')
  await vehicle.getByLabel('Model').selectOption('Civic')
  const profile = await reply.context().newPage()
  await profile.goto('/dashboard/profile')
  await profile.getByLabel('Full Name').fill('Alexandra Trem')

  await owner.signOutEverywhere()
  // at once, without waiting: a tab that has noticed the end by itself has left already, which is just as good
  await reply.getByRole('button', { name: 'Send reply' }).evaluateAll(([send]) => (send as HTMLElement)?.click())
  await expect(reply).toHaveURL(/\/login\?next=%2Fdashboard%2Fmessages%3Fview%3Dreceived$/)
  await expect(vehicle).toHaveURL(/\/login\?next=%2Fdashboard%2Fvehicle%2Fnew$/)
  await expect(profile).toHaveURL(/\/login\?next=%2Fdashboard%2Fprofile$/)

  // logging in once is enough: the other tabs follow
  await logIn(reply, owner.email)
  await expect(reply.getByLabel('Reply')).toHaveValue('Thank you, I am on my')
  await reply.getByRole('button', { name: 'Send reply' }).click()
  await expect(reply.getByText('Reply sent!')).toBeVisible()

  await expect(vehicle.getByLabel('License Plate')).toHaveValue(other)
  await expect(vehicle.getByLabel('Make')).toHaveValue('Honda')
  await expect(vehicle.getByLabel('Model')).toHaveValue('Civic')
  await vehicle.getByLabel('Year').selectOption('2020')
  await vehicle.getByLabel('Province').selectOption('Ontario')
  await vehicle.getByRole('button', { name: 'Register vehicle' }).click()
  await expect(vehicle.getByText('Plate registered successfully.')).toBeVisible()

  await expect(profile.getByLabel('Full Name')).toHaveValue('Alexandra Trem')
})
