import { expect, test } from '../support/fixtures.ts'

test('quiet hours are set in the profile, changed and switched off, in French @phone', async ({
  audit,
  person,
  visit,
}) => {
  const owner = await person({ locale: 'fr-CA' })
  const page = await visit({
    as: owner,
    at: '/fr/dashboard/profile/notifications',
    options: { timezoneId: 'America/Halifax' },
  })
  const section = page.getByRole('region', { name: 'Heures de silence' })
  const from = section.getByLabel('De', { exact: true })
  const until = section.getByLabel('À', { exact: true })
  const zone = section.getByLabel('Fuseau horaire')
  await expect(
    section.getByText(
      /^Les messages au sujet d’un enfant ou d’un animal à l’intérieur .* une contravention, passent toujours/,
    ),
  ).toBeVisible()
  await expect(from).toHaveValue('22:00')
  await expect(until).toHaveValue('07:00')
  await expect(zone).toHaveValue('America/Halifax') // of the device

  await until.fill('22:00')
  await section.getByRole('button', { name: 'Activer' }).click()
  await expect(until).toHaveAccessibleDescription('Veuillez choisir une fin différente du début.')
  await expect(until).toBeFocused()
  await audit(page, 'quiet hours without an end')
  await until.fill('06:30')
  await zone.selectOption({ label: 'Pacifique (Vancouver)' })
  await section.getByRole('button', { name: 'Activer' }).click()
  await expect(section.getByRole('button', { name: 'Enregistrer les heures' })).toBeVisible()
  await audit(page, 'quiet hours are on')

  await page.reload()
  await expect(from).toHaveValue('22:00')
  await expect(until).toHaveValue('06:30')
  await expect(zone).toHaveValue('America/Vancouver')
  await from.fill('23:15')
  await section.getByRole('button', { name: 'Enregistrer les heures' }).click()
  await section.getByRole('button', { name: 'Désactiver' }).click()
  await expect(section.getByRole('button', { name: 'Activer' })).toBeFocused()
  await expect(section.getByRole('button', { name: 'Désactiver' })).toHaveCount(0)
})
