import { sample } from '../../scripts/lib/sample.mjs'
import { newId } from '../../server/src/db/ids.ts'
import { expect, test } from '../support/fixtures.ts'
import { vehicleForm } from '../support/page-objects.ts'
import { newPlate } from '../support/people.ts'
import { SERVER_ERROR } from '../support/test-data.ts'

const LIST_URL = '**/api/vehicles?*'
const VEHICLE_URL = '**/api/vehicles/*'

for (const [size, plate] of sample.pick('mistyped plate', [
  ['', 'BOSS1'],
  [' @phone', 'BOSS2'],
] as const)) {
  test(`a plate that looks mistyped is questioned, and accepted as it is${size}`, async ({ person, visit }) => {
    const page = await visit({ as: await person(), at: '/dashboard/vehicle/new' })
    const form = vehicleForm(page)
    await form.province.selectOption('Ontario')
    await form.plate.pressSequentially('abcd12o')
    const alike = 'Did you mean ABCD 120? The letter O and the number 0 look alike, and so do I and 1.'
    await expect(page.getByText(alike)).toBeVisible()
    await expect(form.plate).toHaveAccessibleDescription(`As shown on your vehicle. ${alike}`)
    await expect(form.plate).not.toHaveAttribute('aria-invalid')
    await form.plate.fill('ABCD120')
    await expect(page.getByText(alike)).toHaveCount(0)

    await form.fill(plate)
    const unusual = 'Quebec plates usually look like A12 BCD. Personalized plates are fine too.'
    await expect(form.plate).toHaveAccessibleDescription(`As shown on your vehicle. ${unusual}`)
    await form.plate.fill('É1') // an error hides the question
    await form.plate.press('Tab')
    await expect(form.plate).toHaveAccessibleDescription(
      'As shown on your vehicle. 1 to 8 characters, no spaces. “É” cannot be on a plate.',
    )
    await form.plate.fill(plate)
    await form.button.click()
    await expect(page.getByText('Plate registered successfully.')).toBeVisible()
    await expect(page.getByRole('img', { name: `Licence plate ${plate}, Quebec` })).toBeInViewport()
  })
}

test('an error of the server is shown, and the form stays as it was', async ({ person, visit, pageGuard }) => {
  pageGuard.allow(/^409 POST \/register-plate/, /^502 POST \/register-plate/, /net::ERR_INTERNET_DISCONNECTED/)
  const owner = await person()
  const { plate } = await owner.registerVehicle(newPlate(), 'Quebec')
  const page = await visit({ as: owner, at: '/dashboard/vehicle/new' })
  const form = vehicleForm(page)
  const alert = page.getByRole('alert')
  await form.fill(plate)
  await form.button.click()
  await expect(alert).toContainText('You’ve already registered this plate.')
  await expect(alert.getByRole('link', { name: 'See my vehicles' })).toHaveAttribute('href', '/dashboard/vehicles')
  await expect(form.model).toHaveValue('Corolla')

  await page.route('**/register-plate', (route) => route.fulfill({ status: 502, body: '<h1>Bad gateway</h1>' }), {
    times: 1,
  })
  await form.button.click()
  await expect(alert).toHaveText('Registration failed')

  await page.context().setOffline(true)
  await form.button.click()
  await expect(alert).toContainText('No connection to PlateNote.')
  await page.context().setOffline(false)
  await form.plate.fill(newPlate())
  await form.button.click()
  await expect(page.getByText('Plate registered successfully.')).toBeVisible()
  await page.goto('/dashboard/vehicle/new')
  await expect(form.province).toHaveValue('Quebec') // the province of last time
})

test('un véhicule s’enregistre et se supprime en français @always', async ({ person, visit }) => {
  const page = await visit({ as: await person({ locale: 'fr-CA' }), at: '/fr/dashboard/vehicle/new' })
  const plate = newPlate()
  await page.getByLabel('Plaque d’immatriculation').fill('ABC12O')
  await page.getByLabel('Marque').selectOption('Autre')
  await page.getByLabel('Modèle').selectOption('Autre')
  await page.getByLabel('Année').selectOption('1980')
  await page.getByLabel('Province').selectOption('Nouvelle-Écosse')
  await expect(page.getByText('Vouliez-vous dire ABC 120?')).toBeVisible()
  await page.getByLabel('Plaque d’immatriculation').fill(plate)
  await expect(
    page.getByText('Nouvelle-Écosse : les plaques ressemblent habituellement à ABC 123.', { exact: false }),
  ).toBeVisible()
  await page.getByRole('button', { name: 'Enregistrer le véhicule' }).click()
  await expect(page.getByText('Plaque enregistrée avec succès.')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Autre marque 1980' })).toBeVisible()
  await expect(page.getByText('Actif', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: `Supprimer ${plate}` }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Supprimer le véhicule' }).click()
  await expect(page.getByText('Véhicule supprimé')).toBeVisible()
  await expect(page.getByText('Aucun véhicule pour l’instant')).toBeVisible()
})

test('a link finds its vehicle in a long list, and says so when it is gone', async ({ person, visit, product }) => {
  const owner = await person()
  const oldest = await owner.registerVehicle()
  const details = { make: 'Honda', model: 'Civic', registration_year: 2020, province: 'Ontario', status: 'rejected' }
  const rows = Array.from({ length: 65 }, () => ({ id: newId(), user_id: owner.id, plate: newPlate(), ...details }))
  await product.db`insert into vehicles ${product.db(rows)}`
  const page = await visit({ as: owner, at: '/dashboard/vehicles' })
  const cards = page.getByRole('main').getByRole('listitem')
  await expect(page.getByText('66 vehicles')).toBeVisible()
  await expect(cards).toHaveCount(30)
  await page.getByRole('button', { name: 'Load more' }).click()
  await expect(cards).toHaveCount(60)
  await expect(cards.nth(30)).toBeFocused()
  await page.getByRole('button', { name: 'Load more' }).click()
  await expect(cards).toHaveCount(66)
  await expect(page.getByRole('button', { name: 'Load more' })).toHaveCount(0)

  const followHash = (id: string) => page.evaluate(`location.hash = '#${id}'`) // in the page that is already open
  const card = (plate: string) => cards.filter({ has: page.getByRole('img', { name: plate }) })
  const gone = page.getByText('The vehicle you’re looking for is no longer in your list.')
  await page.goto('about:blank')
  await page.goto(`/dashboard/vehicles#${oldest.id}`)
  await expect(card(oldest.plate)).toBeFocused()
  await expect(card(oldest.plate)).toBeInViewport()
  const newest = rows.at(-1)
  await followHash(newest?.id ?? '')
  await expect(card(newest?.plate ?? '')).toBeFocused()
  await expect(card(newest?.plate ?? '')).toBeInViewport()
  await expect(card(oldest.plate)).not.toBeInViewport()
  await expect(gone).toHaveCount(0)
  await followHash(newId())
  await expect(gone).toBeVisible()
  await expect(page.getByRole('status').filter({ has: gone })).toContainText('Questions? Contact support.')
  await followHash('content') // the skip link names no vehicle
  await expect(gone).toHaveCount(0)
})

test('deleting asks first, and removes the card or brings it back @always', async ({ person, visit, pageGuard }) => {
  pageGuard.allow(/^500 DELETE \/api\/vehicles/, /net::ERR_FAILED/)
  const owner = await person()
  const { plate, id } = await owner.registerVehicle()
  const page = await visit({ as: owner, at: `/dashboard/vehicles#${id}` })
  const card = page.getByRole('img', { name: `Licence plate ${plate}, Ontario` })
  const remove = page.getByRole('button', { name: `Delete ${plate}` })
  const dialog = page.getByRole('alertdialog', { name: `Delete ${plate}?` })
  await remove.click()
  await expect(dialog).toContainText('This cannot be undone.')
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(remove).toBeFocused()

  const gate = Promise.withResolvers<void>()
  await page.route(VEHICLE_URL, async (route) => {
    await gate.promise
    await route.fulfill({ status: 500, json: SERVER_ERROR })
  })
  await remove.click()
  await dialog.getByRole('button', { name: 'Delete vehicle' }).click()
  await expect(card).toHaveCount(0)
  gate.resolve()
  await expect(page.getByText(`Delete failed: ${SERVER_ERROR.error}`)).toBeVisible()
  await expect(card).toBeVisible()

  await page.unroute(VEHICLE_URL)
  await remove.click()
  await dialog.getByRole('button', { name: 'Delete vehicle' }).click()
  await expect(page.getByText('Vehicle deleted')).toBeVisible()
  await expect(page.getByText('No vehicles yet')).toBeVisible()
  await page.reload()
  await expect(page.getByText('No vehicles yet')).toBeVisible()
  await page.goto(`/dashboard/vehicles#${id}`)
  await page.reload()
  await expect(page.getByText('The vehicle you’re looking for is no longer in your list.')).toBeVisible()
})

test('loading and failed lists say so', async ({ person, visit, pageGuard }) => {
  pageGuard.allow(/^400 GET \/(api\/vehicles|make_models)/)
  const page = await visit({ as: await person() })
  const json = { error: 'Please check what you entered.', code: 'invalid_input' }
  await page.route('**/api/live', () => {}) // once connected the page reloads its data, and the error would disappear by itself
  const gate = Promise.withResolvers<void>()
  await page.route(LIST_URL, async (route) => {
    await gate.promise
    await route.fulfill({ status: 400, json })
  })
  await page.goto('/dashboard/vehicles')
  await expect(page.getByRole('main').getByText('Loading…')).toBeAttached()
  gate.resolve()
  const alert = page.getByRole('alert').filter({ hasText: json.error })
  await expect(alert).toBeVisible()
  await page.unroute(LIST_URL)
  await alert.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('No vehicles yet')).toBeVisible()

  await page.route('**/make_models.json', (route) => route.fulfill({ status: 400, json }))
  await page.goto('/dashboard/vehicle/new')
  await expect(page.getByText('We couldn’t load the list of makes.')).toBeVisible()
  await page.unroute('**/make_models.json')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByLabel('Make').getByRole('option', { name: 'Honda' })).toBeAttached()
})
