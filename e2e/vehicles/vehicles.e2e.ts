import { newId } from '../../server/src/db/ids.ts'
import { expect, test } from '../support/fixtures.ts'
import { vehicleForm } from '../support/page-objects.ts'
import { newPlate } from '../support/people.ts'

test('a plate that looks mistyped is questioned, accepted as it is, and refused the second time @phone', async ({
  person,
  visit,
  pageGuard,
  audit,
}) => {
  pageGuard.allow(/^409 POST \/register-plate/, /net::ERR_INTERNET_DISCONNECTED/)
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

  await form.fill('BOSS1')
  const unusual = 'Quebec plates usually look like A12BCD. Personalized plates are fine too.'
  await expect(form.plate).toHaveAccessibleDescription(`As shown on your vehicle. ${unusual}`)
  await audit(page, 'doubted plate')
  await form.plate.fill('É1') // an error hides the question
  await form.plate.press('Tab')
  await expect(form.plate).toHaveAccessibleDescription(
    'As shown on your vehicle. 1 to 8 characters, no spaces. “É” cannot be on a plate.',
  )
  await form.plate.fill('BOSS1')
  await form.button.click()
  await expect(page.getByText('Plate registered successfully.')).toBeVisible()
  await expect(page.getByRole('img', { name: 'Licence plate BOSS1, Quebec' })).toBeInViewport()

  await page.goto('/dashboard/vehicle/new')
  await expect(form.province).toHaveValue('Quebec') // the province of last time
  await form.fill('BOSS1')
  await page.context().setOffline(true)
  await form.button.press('Enter') // a hint may come at that moment, and would move the button away from a press
  const alert = page.getByRole('alert')
  await expect(alert).toContainText('No connection to PlateNote.')
  await page.context().setOffline(false)
  await form.button.click()
  await expect(alert).toContainText('You’ve already registered this plate.')
  await expect(alert.getByRole('link', { name: 'See My Vehicles' })).toHaveAttribute('href', '/dashboard/vehicles')
  await expect(form.model).toHaveValue('Corolla')
})

test('a link finds its vehicle in a long list, and says so when it is gone', async ({ person, visit, product }) => {
  const owner = await person()
  const oldest = await owner.registerVehicle()
  const details = { make: 'Honda', model: 'Civic', registration_year: 2020, province: 'Ontario', status: 'rejected' }
  const rows = Array.from({ length: 65 }, () => ({ id: newId(), user_id: owner.id, plate: newPlate(), ...details }))
  await product.db`insert into vehicles ${product.db(rows)}`
  const page = await visit({ as: owner, at: '/dashboard/vehicles' })
  const cards = page.getByRole('main').getByRole('listitem')
  await expect(page.getByText('66 vehicles, 1 active or verified')).toBeVisible()
  await expect(cards).toHaveCount(66)

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
