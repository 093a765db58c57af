import type { Page } from '@playwright/test'
import { expect, test } from '../support/fixtures.ts'

/** Sends a message from the form. */
async function send(page: Page, plate: string) {
  await page.locator('[name=plate]').fill(plate)
  await page.locator('[name=content]').fill('Your lights are on')
  await page.locator('main form button[type=submit]').click()
}

test('an owner pauses a vehicle and resumes it, in French @phone', async ({ person, visit, pageGuard }) => {
  pageGuard.allow(/^409 POST \/api\/messages/)
  const [owner, sender] = [await person({ locale: 'fr-CA' }), await person({ locale: 'fr-CA' })]
  const { id, plate } = await owner.registerVehicle()
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

  const senders = await visit({ as: sender, at: '/fr/send' })
  await send(senders, plate)
  await expect(senders.getByText('Ce véhicule n’est pas encore actif.')).toBeVisible()

  await page.reload()
  await expect(card).toContainText('En pause : personne ne peut vous joindre au sujet de ce véhicule.')
  await card.getByRole('button', { name: 'Réactiver' }).click()
  await expect(card).not.toContainText('En pause : personne ne peut vous joindre au sujet de ce véhicule.')
  await send(senders, plate)
  await expect(senders.getByText('Message envoyé').first()).toBeVisible()
})
