import { localizedPath } from '#contract/paths.ts'
import { sample } from '../../scripts/lib/sample.mjs'
import { expect, test } from '../support/fixtures.ts'

test.describe.configure({ mode: 'parallel' })

const TEXTS = {
  en: {
    unread: 'Unread',
    vehicle: 'Vehicle',
    markRead: 'Mark read',
    undo: 'Undo',
    markedRead: 'Marked as read',
    noUnread: 'No unread messages',
    showAll: 'Show all messages',
    search: 'Search the messages you received',
    found: '1 message found. All messages searched.',
    none: 'No message contains these words',
    clear: 'Clear the search',
    short: 'Enter at least 2 characters.',
  },
  'fr-CA': {
    unread: 'Non lu',
    vehicle: 'Véhicule',
    markRead: 'Marquer comme lu',
    undo: 'Annuler',
    markedRead: 'Marqué comme lu',
    noUnread: 'Aucun message non lu',
    showAll: 'Afficher tous les messages',
    search: 'Chercher dans les messages reçus',
    found: '1 message trouvé. Tous les messages ont été parcourus.',
    none: 'Aucun message ne contient ces mots',
    clear: 'Effacer la recherche',
    short: 'Entrez au moins 2 caractères.',
  },
} as const

for (const [locale, size] of sample.pick('finding messages', [
  ['en', ' @phone'],
  ['fr-CA', ''],
  ['fr-CA', ' @phone'],
  ['en', ''],
] as const)) {
  test(`messages are found by vehicle, by unread and by words, and a mark is undone (${locale})${size} @always`, async ({
    person,
    visit,
  }) => {
    const texts = TEXTS[locale]
    const [owner, sender] = [await person({ locale }), await person()]
    const [first, second] = [await owner.registerVehicle(), await owner.registerVehicle()]
    const lights = await sender.sendMessage(first.plate, 'Vos phares sont allumés près de l’école')
    const window = await sender.sendMessage(second.plate, 'A window is open')
    const page = await visit({ as: owner, at: localizedPath('/dashboard/messages', locale) })
    const cards = page.getByRole('tabpanel').getByRole('article')
    const isRead = async (id: string) => (await owner.receivedMessages()).find((one) => one.id === id)?.is_read
    await expect(cards).toHaveCount(2)

    await page.getByLabel(texts.vehicle, { exact: true }).selectOption(first.plate)
    await expect(cards).toHaveCount(1)
    await expect(cards).toContainText('phares')
    await page.reload() // the filter is in the address
    await expect(cards).toHaveCount(1)

    await page.getByRole('button', { name: texts.unread, exact: true }).press('Enter')
    await expect(page.getByRole('button', { name: texts.unread, exact: true, pressed: true })).toBeVisible()
    await cards.getByRole('button', { name: texts.markRead }).click()
    await expect(page.getByText(texts.noUnread)).toBeVisible()
    await expect(page.getByText(texts.markedRead)).toBeVisible()
    expect(await isRead(lights)).toBe(true)
    await page.getByRole('button', { name: texts.undo }).press('Enter')
    await expect(cards).toHaveCount(1)
    await expect.poll(() => isRead(lights)).toBe(false)
    await expect(page.getByText(texts.markedRead)).toHaveCount(0)

    await cards.getByRole('button', { name: texts.markRead }).click()
    await page.getByRole('button', { name: texts.showAll }).click()
    await expect(cards).toHaveCount(2)

    const field = page.getByLabel(texts.search)
    await field.fill('x')
    await field.press('Enter')
    await expect(page.getByText(texts.short)).toBeVisible()
    await field.fill('PHARES ecole')
    await field.press('Enter')
    await expect(page.getByText(texts.found)).toBeVisible()
    await expect(cards).toHaveCount(1)
    await expect(page).not.toHaveURL(/phares|ecole/i)
    await field.fill('giraffe')
    await field.press('Enter')
    await expect(page.getByText(texts.none)).toBeVisible()
    await page.getByRole('button', { name: texts.clear }).click()
    await expect(cards).toHaveCount(2)
    expect(await isRead(window)).toBe(false)
  })
}
