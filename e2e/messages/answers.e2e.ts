import { localizedPath } from '#contract/paths.ts'
import { sample } from '../../scripts/lib/sample.mjs'
import { expect, test } from '../support/fixtures.ts'

test.describe.configure({ mode: 'parallel' })

const BUTTONS = { en: 'Not this car', 'fr-CA': 'Pas cette auto' } as const
const READ_AS = {
  en: 'The owner says it’s not this car. Check the plate and the province.',
  'fr-CA': 'Le propriétaire dit que ce n’est pas cette voiture. Vérifiez la plaque et la province.',
} as const

for (const [ownerLocale, senderLocale, size] of sample.pick('answers', [
  ['en', 'fr-CA', ' @phone'],
  ['fr-CA', 'en', ''],
  ['fr-CA', 'en', ' @phone'],
  ['en', 'fr-CA', ''],
] as const)) {
  test(`one tap in ${ownerLocale} is read at once in ${senderLocale}${size} @always`, async ({ person, visit }) => {
    const [owner, sender] = [await person({ locale: ownerLocale }), await person({ locale: senderLocale })]
    const { plate } = await owner.registerVehicle()
    const id = await sender.sendMessage(plate, 'Your lights are on')
    const other = await sender.sendMessage(plate, 'And your window is open')
    const senders = await visit({ as: sender, at: localizedPath('/dashboard/messages?view=sent', senderLocale) })
    const sent = senders.locator(`[id="${id}"]`)
    await expect(sent).not.toContainText(READ_AS[senderLocale])

    const page = await visit({ as: owner, at: localizedPath('/dashboard/messages?view=received', ownerLocale) })
    const card = page.locator(`[id="${id}"]`)
    await card.getByRole('button', { name: BUTTONS[ownerLocale] }).click()
    await expect(card.getByRole('textbox')).toHaveCount(0)
    await expect(card).toContainText(BUTTONS[ownerLocale])
    await expect(card).toBeFocused()
    await expect(sent).toContainText(READ_AS[senderLocale]) // by the live stream

    // what was being written goes with the tap
    const second = page.locator(`[id="${other}"]`)
    await second.getByRole('textbox').fill('Mine is blue.')
    await second.getByRole('button', { name: BUTTONS[ownerLocale] }).click()
    await expect(senders.locator(`[id="${other}"]`)).toContainText(READ_AS[senderLocale])
    await expect(senders.locator(`[id="${other}"]`)).toContainText('Mine is blue.')
  })
}
