import { expect, test } from '../support/fixtures.ts'

const BUTTON = 'Pas cette auto'
const READ_AS = 'The owner says it’s not this car. Check the plate and the province.'

test('one tap in French is read at once in English @phone', async ({ person, visit }) => {
  const [owner, sender] = [await person({ locale: 'fr-CA' }), await person()]
  const { plate } = await owner.registerVehicle()
  const id = await sender.sendMessage(plate, 'Your lights are on')
  const other = await sender.sendMessage(plate, 'And your window is open')
  const senders = await visit({ as: sender, at: '/dashboard/messages?view=sent' })
  const sent = senders.locator(`[id="${id}"]`)
  await expect(sent).not.toContainText(READ_AS)

  const page = await visit({ as: owner, at: '/fr/dashboard/messages?view=received' })
  const card = page.locator(`[id="${id}"]`)
  await card.getByRole('button', { name: BUTTON }).click()
  await expect(card.getByRole('textbox')).toHaveCount(0)
  await expect(card).toContainText(BUTTON)
  await expect(card).toBeFocused()
  await expect(sent).toContainText(READ_AS) // by the live stream

  // what was being written goes with the tap
  const second = page.locator(`[id="${other}"]`)
  await second.getByRole('textbox').fill('Mine is blue.')
  await second.getByRole('button', { name: BUTTON }).click()
  await expect(senders.locator(`[id="${other}"]`)).toContainText(READ_AS)
  await expect(senders.locator(`[id="${other}"]`)).toContainText('Mine is blue.')
})
