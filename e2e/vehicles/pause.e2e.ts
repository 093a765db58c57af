import type { Page } from '@playwright/test'
import { localizedPath } from '#contract/paths.ts'
import { sample } from '../../scripts/lib/sample.mjs'
import { expect, test } from '../support/fixtures.ts'

test.describe.configure({ mode: 'parallel' })

const TEXTS = {
  en: {
    pause: 'Pause',
    resume: 'Resume',
    state: 'Paused: nobody can reach you about this vehicle.',
    badge: 'Paused',
    refused: 'That vehicle is not active yet.',
    done: 'Message sent',
    offline: 'No connection to PlateNote.',
  },
  'fr-CA': {
    pause: 'Mettre en pause',
    resume: 'Réactiver',
    state: 'En pause : personne ne peut vous joindre au sujet de ce véhicule.',
    badge: 'En pause',
    refused: 'Ce véhicule n’est pas encore actif.',
    done: 'Message envoyé',
    offline: 'Pas de connexion à PlateNote.',
  },
} as const

/** Sends a message from the form. */
async function send(page: Page, plate: string) {
  await page.locator('[name=plate]').fill(plate)
  await page.locator('[name=content]').fill('Your lights are on')
  await page.locator('main form button[type=submit]').click()
}

for (const [locale, size] of sample.pick('pause', [
  ['en', ''],
  ['fr-CA', ' @phone'],
  ['en', ' @phone'],
  ['fr-CA', ''],
] as const)) {
  test(`an owner pauses a vehicle and resumes it, one tap each, in ${locale}${size} @always`, async ({
    person,
    visit,
    pageGuard,
  }) => {
    pageGuard.allow(/^409 POST \/api\/messages/, /net::ERR_INTERNET_DISCONNECTED/)
    const texts = TEXTS[locale]
    const [owner, sender] = [await person({ locale }), await person({ locale })]
    const { id, plate } = await owner.registerVehicle()
    const page = await visit({ as: owner, at: localizedPath('/dashboard/vehicles', locale) })
    const card = page.locator(`[id="${id}"]`)
    await page.context().setOffline(true)
    await card.getByRole('button', { name: texts.pause }).click()
    await expect(page.getByText(texts.offline)).toBeVisible()
    await page.context().setOffline(false)
    await expect(card).not.toContainText(texts.state)

    await card.getByRole('button', { name: texts.pause }).click()
    await expect(card).toContainText(texts.state)
    await expect(card).toContainText(texts.badge)
    await expect(card).toBeFocused()
    await expect(card.getByRole('button', { name: texts.pause })).toHaveCount(0)

    const senders = await visit({ as: sender, at: localizedPath('/send', locale) })
    await send(senders, plate)
    await expect(senders.getByText(texts.refused)).toBeVisible()

    await page.reload()
    await expect(card).toContainText(texts.state)
    await card.getByRole('button', { name: texts.resume }).click()
    await expect(card).not.toContainText(texts.state)
    await expect(card.getByRole('button', { name: texts.pause })).toBeVisible()
    await send(senders, plate)
    await expect(senders.getByText(texts.done).first()).toBeVisible()
  })
}
