import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { ERRORS } from '#contract/errors.ts'
import { LIMIT_TEXTS } from '#contract/limit-texts.ts'
import { FIELD_TEXTS } from '../../server/src/http/field-texts.ts'
import { expect, test } from '../support/fixtures.ts'
import { confirmationLink, newEmail, PASSWORD } from '../support/people.ts'

const LOCALES = join(import.meta.dirname, '../../web/locales')
const readTexts = (locale: string): Map<string, string> =>
  new Map(
    readdirSync(join(LOCALES, locale)).flatMap((file) =>
      Object.entries(JSON.parse(readFileSync(join(LOCALES, locale, file), 'utf8')) as Record<string, unknown>).flatMap(
        ([key, text]) => (typeof text === 'string' && !key.startsWith('$') ? [[key, text] as const] : []),
      ),
    ),
  )

/** Shorter than this, a text may be the same word in both languages, or part of one. */
const LEAST_LETTERS = 6

/** Returns the texts of the English screens and refusals, between their placeholders, that occur in no French text. */
function englishTexts(): string[] {
  const refusals = [...Object.values(ERRORS), ...Object.values(LIMIT_TEXTS)]
  const french = [...readTexts('fr-CA').values(), ...refusals.map((texts) => texts['fr-CA'])].join('\n')
  const english = [
    ...readTexts('en').values(),
    ...refusals.map(({ en }) => en),
    'At most {max} characters.',
    ...Object.keys(FIELD_TEXTS['fr-CA']),
  ]
  const pieces = english.flatMap((text) => text.split(/\{[^}]*\}/))
  const words = pieces
    .map((piece) => piece.trim().replace(/[.:…]$/, ''))
    .filter((piece) => piece.length >= LEAST_LETTERS)
  return [...new Set(words)].filter((piece) => !french.includes(piece))
}

/** Collects every text that a page ever shows or says to a screen reader. */
async function recordTexts(page: Page): Promise<Set<string>> {
  const seen = new Set<string>()
  await page.exposeFunction('recordTexts', (texts: string[]) => {
    for (const text of texts) seen.add(text)
  })
  await page.addInitScript(() => {
    const known = new Set<string>()
    const collect = () => {
      const labels = [...document.querySelectorAll('[aria-label], [placeholder], [title], [alt]')]
        .filter((element) => !element.closest('[data-language-offer]')) // hidden, and in the other language on purpose
        .flatMap((element) => ['aria-label', 'placeholder', 'title', 'alt'].map((name) => element.getAttribute(name)))
      const texts = [document.title, ...(document.body?.innerText ?? '').split('\n'), ...labels]
      const added = texts.map((text) => text?.trim() ?? '').filter((text) => text !== '' && !known.has(text))
      for (const text of added) known.add(text)
      if (added.length > 0)
        void (window as unknown as { recordTexts(texts: string[]): Promise<void> }).recordTexts(added)
    }
    new MutationObserver(collect).observe(document, { childList: true, subtree: true, attributes: true })
    document.addEventListener('DOMContentLoaded', collect)
  })
  return seen
}

/** Provokes the errors people make, and waits for each to be shown. */
async function makeErrors(owner: Page, sender: Page, plate: string) {
  const isShown = (page: Page, text: string) => expect(page.getByText(text).first()).toBeVisible()
  await sender.goto('/fr/send')
  const send = sender.getByRole('button', { name: 'Envoyer le message' })
  const message = sender.getByRole('textbox', { name: 'Message' })
  const plateField = sender.locator('[name=plate]')
  await send.click()
  await isShown(sender, 'Veuillez remplir les deux champs.')
  await plateField.fill('AB#123')
  await message.fill('x'.repeat(2_001))
  await isShown(sender, 'De 1 à 8 caractères, sans espaces. « # » ne peut pas figurer sur une plaque.')
  // only the server finds this one
  await plateField.fill(plate)
  await message.fill('Phares\0')
  await send.click()
  await isShown(sender, 'Ce texte contient un caractère qui ne peut pas être envoyé.')
  await message.fill('Vos phares sont restés allumés.')
  await plateField.fill('PERSONNE')
  await send.click()
  await isShown(sender, ERRORS.plate_not_registered['fr-CA'])
  await isShown(sender, 'Vous pouvez tout de même laisser un mot sur le pare-brise.')

  await plateField.fill(plate)
  await sender.getByRole('button', { name: 'Accrochage' }).click()
  await sender.getByRole('button', { name: 'Je l’ai heurté' }).click()
  await sender.getByLabel('Où est-ce arrivé?').selectOption('Quebec')
  await sender.getByRole('button', { name: 'Passer à vos renseignements' }).click()
  await send.click()
  await isShown(sender, 'Veuillez entrer votre nom.')

  await owner.goto('/fr/send')
  await owner.locator('[name=plate]').fill(plate)
  await owner.getByRole('textbox', { name: 'Message' }).fill('À moi-même')
  await owner.getByRole('button', { name: 'Envoyer le message' }).click()
  await isShown(owner, ERRORS.own_vehicle['fr-CA'])
  await owner.goto('/fr/dashboard/vehicle/new')
  await owner.locator('[name=plate]').fill('ABCDEFGHI')
  await owner.locator('main form button[type=submit]').click()
  await isShown(owner, 'De 1 à 8 caractères, sans espaces')
  await owner.evaluate(() => sessionStorage.clear())
}

test('the main use case in French, with the errors people make, never shows an English word', async ({
  visit,
  product,
  pageGuard,
}) => {
  pageGuard.allow(/^40[049] POST \/api\/messages/)
  const options = { locale: 'fr-CA', timezoneId: 'America/Toronto' }
  const [owner, sender] = [await visit({ options }), await visit({ options })]
  const seen = [await recordTexts(owner), await recordTexts(sender)]
  const plate = 'QC48271'
  for (const [page, name] of [
    [owner, 'Maude Gagnon'],
    [sender, 'Samuel Roy'],
  ] as const) {
    const email = newEmail()
    await page.goto('/fr')
    await page.goto('/fr/signup')
    await page.locator('[name=fullName]').first().fill(name)
    await page.locator('[name=email]').fill(email)
    for (const field of await page.locator('main input[type=password]').all()) await field.fill(PASSWORD)
    await page.getByRole('main').getByRole('checkbox').check()
    await page.locator('main button[type=submit]').click()
    await expect(page).toHaveURL(/\/fr\/verify-email/)
    await expect(page.getByText(email)).toBeVisible()
    await page.goto(await confirmationLink(product, email))
    await expect(page).toHaveURL(/\/fr\/dashboard$/)
    await expect(page.getByRole('heading', { level: 1 })).toContainText(name.split(' ')[0]!)
  }

  await owner.goto('/fr/dashboard/vehicle/new')
  await owner.locator('[name=plate]').fill(plate)
  await owner.locator('[name=make]').selectOption('Honda')
  await owner.locator('[name=model]').selectOption('Civic')
  await owner.locator('[name=registration_year], [name=year]').first().selectOption('2020')
  await owner.locator('[name=province]').selectOption('Quebec')
  await owner.locator('main form button[type=submit]').click()
  await expect(owner).toHaveURL(/\/fr\/dashboard\/vehicles#/)

  await makeErrors(owner, sender, plate)
  await owner.goto('/fr/dashboard/messages?view=received')
  await expect(owner.getByRole('heading', { level: 1 })).toBeVisible()
  await sender.evaluate(() => sessionStorage.clear())
  await sender.goto('/fr/send')
  await sender.locator('[name=plate]').fill(plate)
  await sender.getByRole('textbox', { name: 'Message' }).fill('Vos phares sont restés allumés.')
  await sender.getByRole('button', { name: 'Envoyer le message' }).click()
  await expect(sender.getByRole('heading', { name: 'Message envoyé' })).toBeFocused()
  await sender.goto('/fr/dashboard/messages?view=sent')
  await expect(sender.getByText('Vos phares sont restés allumés.')).toBeVisible()

  await expect(owner.getByText('Vos phares sont restés allumés.')).toBeVisible()
  for (const page of [owner, sender]) {
    for (const path of ['/fr/dashboard/notifications', '/fr/dashboard/profile', '/fr/dashboard']) {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expect(page.locator('main :is(.skeleton, [aria-busy=true])')).toHaveCount(0)
    }
  }

  const english = englishTexts()
  expect(english.length).toBeGreaterThan(300)
  const all = seen.flatMap((texts) => [...texts])
  expect(all.length).toBeGreaterThan(150)
  expect(all).toContain('Vos phares sont restés allumés.')
  const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${english.map(escaped).join('|')})(?![\\p{L}\\p{N}])`, 'u')
  expect(pattern.test('Log In · Send Message')).toBe(true) // it finds what it looks for
  expect(all.filter((text) => pattern.test(text))).toEqual([])
})
