import { expect, test } from '../support/fixtures.ts'

test('an owner pauses a vehicle and resumes it, in French @phone', async ({ person, visit }) => {
  const owner = await person({ locale: 'fr-CA' })
  const { id } = await owner.registerVehicle()
  const page = await visit({ as: owner, at: '/fr/dashboard/vehicles' })
  const card = page.locator(`[id="${id}"]`)
  const pause = async () => {
    await card.getByRole('button', { name: 'Autres actions' }).click()
    await card.getByRole('button', { name: 'Mettre en pause' }).click()
  }
  await pause()
  await expect(card).toContainText('En pause : personne ne peut vous joindre au sujet de ce véhicule.')
  await expect(card).toContainText('En pause')
  await expect(card).toBeFocused()

  await page.reload()
  await expect(card).toContainText('En pause : personne ne peut vous joindre au sujet de ce véhicule.')
  await card.getByRole('button', { name: 'Réactiver' }).click()
  await expect(card).not.toContainText('En pause : personne ne peut vous joindre au sujet de ce véhicule.')
})
