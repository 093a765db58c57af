import { collisionTemplate } from '#contract/reasons.ts'
import { sample } from '../../scripts/lib/sample.mjs'
import { expect, test } from '../support/fixtures.ts'

const TEXTS = {
  en: {
    accident: 'Minor accident',
    message: 'Message',
    send: 'Send Message',
    sent: 'Message sent',
    question: 'What happened?',
    missing: 'Please choose one.',
    hit: 'I hit it',
    saw: 'I saw it',
    where: 'Where did it happen?',
    duties: 'First, what you have to do in Quebec',
    police: 'If the owner is not there, you must call the police right away.',
    goOn: 'Continue to your particulars',
    card: 'Your particulars',
    notAnonymous: 'This is not anonymous. It goes to the owner only.',
    noReport: 'This is not a police report.',
    name: 'Name',
    phone: 'Phone',
    insurer: /^Insurer/,
    confirm: 'I know that this is not anonymous',
    confirmMissing: 'Please confirm this before you send.',
    open: 'Open the card',
    print: 'Print or save',
    gone: /^There is no card here that you can read/,
    witness: 'I’m willing to be a witness',
    offered: 'The sender saw it, and is willing to be a witness.',
    ask: 'Ask for a contact',
    asked: /^You requested a contact/,
    notice: /asks for your contact$/,
    give: 'Give my contact',
    given: 'You gave the owner this contact:',
    received: 'The witness gave you this contact:',
  },
  'fr-CA': {
    accident: 'Accrochage',
    message: 'Message',
    send: 'Envoyer le message',
    sent: 'Message envoyé',
    question: 'Que s’est-il passé?',
    missing: 'Veuillez choisir une réponse.',
    hit: 'Je l’ai heurté',
    saw: 'J’ai tout vu',
    where: 'Où est-ce arrivé?',
    duties: 'D’abord, ce que vous devez faire – Québec',
    police: 'Si le propriétaire est absent, vous devez appeler la police immédiatement.',
    goOn: 'Passer à vos renseignements',
    card: 'Vos renseignements',
    notAnonymous: 'Ceci n’est pas anonyme. Seul le propriétaire le reçoit.',
    noReport: 'Ceci n’est pas un rapport de police.',
    name: 'Nom',
    phone: 'Téléphone',
    insurer: /^Assureur/,
    confirm: 'Je sais que ceci n’est pas anonyme',
    confirmMissing: 'Veuillez le confirmer avant d’envoyer.',
    open: 'Ouvrir la fiche',
    print: 'Imprimer ou enregistrer',
    gone: /^Il n’y a pas ici de fiche/,
    witness: 'J’accepte de témoigner',
    offered: 'La personne qui écrit a tout vu et accepte de témoigner.',
    ask: 'Demander ses coordonnées',
    asked: /^Vous avez demandé des coordonnées/,
    notice: /demande vos coordonnées$/,
    give: 'Donner mes coordonnées',
    given: /^Vous avez donné ces coordonnées au propriétaire/,
    received: /^Le témoin vous a donné ces coordonnées/,
  },
}

const VARIANTS = [
  { locale: 'en', prefix: '', tag: ['@phone'] },
  { locale: 'fr-CA', prefix: '/fr', tag: [] },
  { locale: 'en', prefix: '', tag: [] },
  { locale: 'fr-CA', prefix: '/fr', tag: ['@phone'] },
] satisfies { locale: keyof typeof TEXTS; prefix: string; tag: string[] }[]

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

for (const { locale, prefix, tag } of sample.pick('a hit', VARIANTS)) {
  const texts = TEXTS[locale]

  test(`who hit a vehicle reads the duties first, says who they are, and the owner reads it alone (${[locale, ...tag].join(' ')}) @always`, {
    tag,
  }, async ({ person, visit, pageGuard }) => {
    pageGuard.allow(/^404 GET \/api\/messages\/[\w-]+\/collision/)
    const [owner, sender, stranger] = [await person({ locale }), await person({ locale }), await person({ locale })]
    const { plate } = await owner.registerVehicle()
    const page = await visit({ as: sender, at: `${prefix}/send?plate=${plate}` })
    const send = page.getByRole('button', { name: texts.send })
    const message = page.getByRole('textbox', { name: texts.message })
    await page.getByRole('button', { name: texts.accident }).click()
    const question = page.getByRole('group', { name: texts.question })
    await expect(question.getByRole('button')).toHaveCount(2)
    await message.fill('Hello')
    await send.click()
    await expect(question).toHaveAccessibleDescription(texts.missing)
    await expect(question.getByRole('button', { name: texts.hit })).toBeFocused()
    await message.fill('')
    // by keyboard from here
    await page.keyboard.press('Shift+Tab')
    await question.getByRole('button', { name: texts.hit }).press('Enter')
    await expect(send).toBeHidden()
    await page.getByLabel(texts.where).selectOption('Quebec')
    const duties = page.getByRole('region', { name: texts.duties })
    await expect(duties.getByRole('listitem').nth(1)).toContainText(texts.police)
    await duties.getByRole('button', { name: texts.goOn }).press('Enter')

    const card = page.getByRole('region', { name: texts.card })
    await expect(card).toBeFocused()
    await expect(card.getByText(texts.notAnonymous)).toBeVisible()
    await expect(card.getByText(texts.noReport)).toBeVisible()
    await expect(message).toHaveValue(collisionTemplate('hit', locale))
    await send.click()
    await expect(card.getByLabel(texts.name, { exact: true })).toBeFocused()
    await card.getByLabel(texts.name, { exact: true }).fill('Kim Roy')
    await card.getByLabel(texts.phone, { exact: true }).fill('514 555-0100')
    await card.getByLabel(texts.insurer).fill('Aviva')
    await card
      .locator('input[type=file]:not([capture])')
      .first()
      .setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: PNG })
    await send.click()
    const confirm = card.getByRole('checkbox', { name: texts.confirm })
    await expect(confirm).toBeFocused()
    await expect(confirm).toHaveAccessibleDescription(texts.confirmMissing)
    expect(await owner.receivedMessages()).toEqual([])
    await confirm.check()
    await send.click()
    await expect(page.getByRole('heading', { name: texts.sent })).toBeVisible()

    const reading = await visit({ as: owner, at: `${prefix}/dashboard/messages` })
    const article = reading.getByRole('article')
    await expect(article.getByText(collisionTemplate('hit', locale))).toBeVisible()
    await expect(article).not.toContainText('Kim Roy')
    await article.getByRole('link', { name: texts.open }).click()
    const shown = reading.getByRole('article')
    for (const text of ['Kim Roy', '514 555-0100', 'Aviva', plate]) await expect(shown).toContainText(text)
    await expect(shown.getByRole('img')).toHaveCount(1)
    await expect(reading.getByText(texts.noReport)).toBeVisible()
    await expect(reading.getByRole('button', { name: texts.print })).toBeVisible()
    const address = reading.url()

    await page.goto(`${prefix}/dashboard/messages?view=sent`)
    await page.getByRole('article').getByRole('link', { name: texts.open }).click()
    await expect(page.getByRole('article')).toContainText('Kim Roy')
    const other = await visit({ as: stranger, at: address })
    await expect(other.getByText(texts.gone)).toBeVisible()
  })
}

for (const { locale, prefix, tag } of sample.pick('a witness', VARIANTS)) {
  const texts = TEXTS[locale]

  test(`who saw it stays anonymous until the owner asks and they say yes again (${[locale, ...tag].join(' ')})`, {
    tag,
  }, async ({ person, visit }) => {
    const [owner, sender] = [await person({ locale }), await person({ locale })]
    const { plate } = await owner.registerVehicle()
    const page = await visit({ as: sender, at: `${prefix}/send?plate=${plate}` })
    await page.getByRole('button', { name: texts.accident }).click()
    await page.getByRole('button', { name: texts.saw }).click()
    await expect(page.getByText(texts.notAnonymous)).toHaveCount(0)
    await page.getByRole('checkbox', { name: texts.witness }).check()
    await expect(page.getByRole('textbox', { name: texts.message })).toHaveValue(collisionTemplate('saw', locale))
    await page.getByRole('button', { name: texts.send }).click()
    await expect(page.getByRole('heading', { name: texts.sent })).toBeVisible()

    const reading = await visit({ as: owner, at: `${prefix}/dashboard/messages` })
    const article = reading.getByRole('article')
    await expect(article.getByText(texts.offered)).toBeVisible()
    await article.getByRole('button', { name: texts.ask }).click()
    await expect(article.getByText(texts.asked)).toBeVisible()

    await page.goto(`${prefix}/dashboard/notifications`)
    await page.getByRole('link', { name: texts.notice }).click()
    const own = page.getByRole('article')
    await expect(own.getByText(texts.notAnonymous)).toBeVisible()
    await own.getByRole('button', { name: texts.give }).click()
    await expect(own.getByLabel(texts.name, { exact: true })).toBeFocused()
    await own.getByLabel(texts.name, { exact: true }).fill('Lee Chan')
    await own.getByLabel(texts.phone, { exact: true }).fill('604 555-0199')
    await own.getByLabel(texts.phone, { exact: true }).press('Enter')
    await expect(own.getByText(texts.given)).toBeVisible()

    // the owner's open page is updated
    await expect(article.getByText(texts.received)).toBeVisible()
    await expect(article).toContainText('604 555-0199')
  })
}
