import { localizedPath } from '#contract/paths.ts'
import { sample } from '../../scripts/lib/sample.mjs'
import { expect, test } from '../support/fixtures.ts'

test.describe.configure({ mode: 'parallel' })

const TEXTS = {
  en: {
    section: 'Quiet hours',
    from: 'From',
    until: 'Until',
    zone: 'Time zone',
    on: 'Turn on',
    save: 'Save quiet hours',
    off: 'Turn off',
    same: 'Please choose an end time different from the start.',
    passes: /^Two kinds of messages always come through, .* a child or an animal inside .* towed or ticketed\./,
    pacific: 'Pacific (Vancouver)',
  },
  'fr-CA': {
    section: 'Heures de silence',
    from: 'De',
    until: 'À',
    zone: 'Fuseau horaire',
    on: 'Activer',
    save: 'Enregistrer les heures',
    off: 'Désactiver',
    same: 'Veuillez choisir une fin différente du début.',
    passes: /^Deux sortes de messages passent toujours, .* un enfant ou un animal à l’intérieur .* une contravention\./,
    pacific: 'Pacifique (Vancouver)',
  },
} as const

for (const [locale, size] of sample.pick('quiet hours', [
  ['fr-CA', ''],
  ['en', ' @phone'],
  ['fr-CA', ' @phone'],
  ['en', ''],
] as const)) {
  test(`quiet hours are set in the profile, changed and switched off, in ${locale}${size}`, async ({
    person,
    visit,
  }) => {
    const texts = TEXTS[locale]
    const owner = await person({ locale })
    const page = await visit({
      as: owner,
      at: localizedPath('/dashboard/profile', locale),
      options: { timezoneId: 'America/Halifax' },
    })
    const section = page.getByRole('region', { name: texts.section })
    const from = section.getByLabel(texts.from, { exact: true })
    const until = section.getByLabel(texts.until, { exact: true })
    const zone = section.getByLabel(texts.zone)
    await expect(section.getByText(texts.passes)).toBeVisible()
    await expect(from).toHaveValue('22:00')
    await expect(until).toHaveValue('07:00')
    await expect(zone).toHaveValue('America/Halifax') // of the device

    await until.fill('22:00')
    await section.getByRole('button', { name: texts.on }).click()
    await expect(until).toHaveAccessibleDescription(texts.same)
    await expect(until).toBeFocused()
    await until.fill('06:30')
    await zone.selectOption({ label: texts.pacific })
    await section.getByRole('button', { name: texts.on }).click()
    await expect(section.getByRole('button', { name: texts.save })).toBeVisible()

    await page.reload()
    await expect(from).toHaveValue('22:00')
    await expect(until).toHaveValue('06:30')
    await expect(zone).toHaveValue('America/Vancouver')
    await from.fill('23:15')
    await section.getByRole('button', { name: texts.save }).click()
    await section.getByRole('button', { name: texts.off }).click()
    await expect(section.getByRole('button', { name: texts.on })).toBeFocused()
    await expect(section.getByRole('button', { name: texts.off })).toHaveCount(0)
  })
}
