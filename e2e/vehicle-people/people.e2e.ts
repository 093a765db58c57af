import type { Page } from '@playwright/test'
import { localizedPath } from '#contract/paths.ts'
import { sample } from '../../scripts/lib/sample.mjs'
import { expect, test } from '../support/fixtures.ts'

test.describe.configure({ mode: 'parallel' })

const TEXTS = {
  en: {
    people: 'Who drives it',
    code: 'Show a code',
    link: 'Link for an email address',
    address: 'Their email address',
    makeLink: 'Make the link',
    join: 'Join',
    drives: 'You drive this vehicle',
    take: 'I have the car',
    has: 'You have the car',
    coming: 'I’m coming now',
    onTheWay: 'Someone is on the way',
    senderReads: 'The owner is coming now.',
    noAnswer: 'No answer yet',
    remind: 'Send one reminder',
    reminded: 'You have sent your one reminder.',
    call: 'Whom else to call',
    leave: 'Leave this vehicle',
    alone: 'Only you get messages about this vehicle.',
  },
  'fr-CA': {
    people: 'Qui le conduit',
    code: 'Afficher un code',
    link: 'Lien pour une adresse courriel',
    address: 'Son adresse courriel',
    makeLink: 'Créer le lien',
    join: 'Rejoindre',
    drives: 'Vous conduisez ce véhicule',
    take: 'J’ai la voiture',
    has: 'Vous avez la voiture',
    coming: 'J’arrive',
    onTheWay: 'Quelqu’un est en route',
    senderReads: 'Le propriétaire arrive tout de suite.',
    noAnswer: 'Pas encore de réponse',
    remind: 'Envoyer un rappel',
    reminded: 'Vous avez envoyé votre unique rappel.',
    call: 'Qui d’autre appeler',
    leave: 'Quitter ce véhicule',
    alone: 'Vous seul recevez les messages au sujet de ce véhicule.',
  },
} as const

/** Makes an invitation on the owner's screen, and returns where it is accepted and what is typed there. */
async function invite(page: Page, texts: (typeof TEXTS)['en' | 'fr-CA'], email: string | null) {
  if (email === null) {
    await page.getByRole('button', { name: texts.code }).click()
    const code = await page.getByText(/^[2-9A-Z]{4}-[2-9A-Z]{4}$/).textContent()
    return { at: '/invite', code }
  }
  await page.getByRole('button', { name: texts.link }).click()
  await page.getByLabel(texts.address).fill(email)
  await page.getByRole('button', { name: texts.makeLink }).click()
  const url = await page.getByText(/\/invite#code=/).textContent()
  return { at: url!, code: null }
}

for (const [locale, how, size] of sample.pick('people', [
  ['en', 'code', ' @phone'],
  ['fr-CA', 'link', ''],
  ['fr-CA', 'code', ' @phone'],
  ['en', 'link', ''],
] as const)) {
  test(`an owner, a driver and a sender, by a ${how}, in ${locale}${size} @always`, async ({
    person,
    visit,
    product,
  }) => {
    const texts = TEXTS[locale]
    const [owner, driver, sender] = [
      await person({ locale, fullName: 'Olga Roy' }),
      await person({ locale, fullName: 'Dan Roy' }),
      await person({ locale }),
    ]
    const { id, plate } = await owner.registerVehicle()
    const owners = await visit({ as: owner, at: localizedPath('/dashboard/vehicles', locale) })
    const owned = owners.locator(`[id="${id}"]`)
    await owned.getByText(texts.people).click()
    await expect(owned).toContainText(texts.alone)
    const { at, code } = await invite(owners, texts, how === 'link' ? driver.email : null)

    const drivers = await visit({ as: driver, at: at.startsWith('http') ? at : localizedPath(at, locale) })
    if (code !== null) await drivers.locator('[name=code]').fill(code.toLowerCase())
    await drivers.getByRole('button', { name: texts.join }).click()
    const driven = drivers.locator(`[id="${id}"]`)
    await expect(driven).toContainText(texts.drives)
    await expect(driven).toContainText('Olga Roy')
    await driven.getByRole('button', { name: texts.take }).click()
    await expect(driven).toContainText(texts.has)

    await drivers.goto(localizedPath('/dashboard/messages?view=received', locale))
    const senders = await visit({ as: sender, at: localizedPath('/dashboard/messages?view=sent', locale) })
    const first = await sender.sendMessage(plate, 'Please come')
    const received = drivers.locator(`[id="${first}"]`)
    await expect(received).toBeVisible() // by the live stream
    await received.getByRole('group').getByRole('button', { name: texts.coming }).first().click()
    await expect(senders.locator(`[id="${first}"]`)).toContainText(texts.senderReads) // by the live stream
    await owners.goto(localizedPath('/dashboard/messages?view=received', locale))
    await expect(owners.locator(`[id="${first}"]`)).toContainText(texts.onTheWay)

    const second = await sender.sendMessage(plate, 'Still here')
    await product.db`update messages set inserted_at = inserted_at - interval '10 minutes' where id = ${second}`
    await senders.reload()
    const unanswered = senders.locator(`[id="${second}"]`)
    await expect(unanswered).toContainText(texts.noAnswer)
    await unanswered.getByText(texts.call).click()
    await unanswered.getByRole('combobox').selectOption('toronto')
    await expect(unanswered.getByRole('link', { name: '416-808-2222' })).toBeVisible()
    await unanswered.getByRole('button', { name: texts.remind }).click()
    await expect(unanswered).toContainText(texts.reminded)

    await drivers.goto(localizedPath('/dashboard/vehicles', locale))
    await driven.getByRole('button', { name: texts.leave }).click()
    await expect(driven).toHaveCount(0)
    await drivers.goto(localizedPath('/dashboard/messages?view=received', locale))
    await expect(drivers.getByRole('article')).toHaveCount(0)
    await owners.goto(localizedPath('/dashboard/vehicles', locale))
    await owned.getByText(texts.people).click()
    await expect(owned).toContainText(texts.alone)
  })
}
