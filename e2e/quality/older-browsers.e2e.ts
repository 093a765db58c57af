import { expect, test } from '../support/fixtures.ts'
import { chooseForVehicle, logIn } from '../support/page-objects.ts'

/** Removes what the oldest supported browsers lack: Safari 16.4, on phones that get nothing newer, and Chrome 111. */
const REMOVE_NEWER_APIS = 'delete Promise.withResolvers; delete URL.canParse; delete Element.prototype.checkVisibility'

test('in a browser of 2023 people can log in, confirm a deletion, and see its result', async ({ person, visit }) => {
  const owner = await person()
  const { plate } = await owner.registerVehicle()
  const page = await visit()
  await page.addInitScript({ content: REMOVE_NEWER_APIS })
  await page.goto('/login?next=%2Fdashboard%2Fvehicles')
  await logIn(page, owner.email)
  await expect(page).toHaveURL(/\/dashboard\/vehicles$/)

  await chooseForVehicle(page, plate, 'Delete')
  const dialog = page.getByRole('alertdialog')
  const confirm = dialog.getByRole('button', { name: 'Delete vehicle' })
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await page.keyboard.press('Shift+Tab')
  await expect(confirm).toBeFocused()
  await confirm.click()
  await expect(page.getByText('Vehicle deleted')).toBeVisible()
  await expect(dialog).toHaveCount(0)
})
