import type { Locator, Page } from '@playwright/test'
import { horizontalOverflow } from '../support/axe-audit.ts'
import { expect, test } from '../support/fixtures.ts'
import { chooseForVehicle, logIn, recordRequests, SERVER_ERROR, vehicleMenu } from '../support/page-objects.ts'
import { HOSTILE } from '../support/people.ts'
import { tabTo } from '../support/tab-order.ts'

const VEHICLES = '/dashboard/vehicles'
const OFFLINE = /net::ERR_INTERNET_DISCONNECTED/

const confirmDialog = (page: Page) => page.getByRole('alertdialog')
const toastRegion = (page: Page) => page.getByRole('region', { name: 'Messages from PlateNote' })
const toasts = (page: Page) => toastRegion(page).getByRole('paragraph')
const closeButton = (page: Page) => toastRegion(page).getByRole('button', { name: 'Close' })
const scrollPosition = (page: Page) => page.evaluate(() => window.scrollY)

/** Deletes a vehicle through its dialog. */
async function deleteVehicle(page: Page, plate: string) {
  await chooseForVehicle(page, plate, 'Delete')
  await confirmDialog(page).getByRole('button', { name: 'Delete vehicle' }).click()
}

test('nothing behind an open dialog is reached, and toasts wait', async ({ person, visit, pageGuard }) => {
  pageGuard.allow(/^500 DELETE \/api\/vehicles/)
  const owner = await person()
  const plates = []
  for (let i = 0; i < 4; i++) plates.push((await owner.registerVehicle()).plate)
  const page = await visit({
    as: owner,
    at: VEHICLES,
    options: { viewport: { width: 1024, height: 500 }, reducedMotion: 'no-preference' },
  })
  const [plate = '', second = '', third = ''] = plates
  await chooseForVehicle(page, plate, 'Delete')
  const cancel = confirmDialog(page).getByRole('button', { name: 'Cancel' })
  const confirm = confirmDialog(page).getByRole('button', { name: 'Delete vehicle' })
  await expect(cancel).toBeFocused()
  await expect(confirmDialog(page)).toHaveAccessibleDescription(/This cannot be undone\./)

  const before = await scrollPosition(page)
  const wheelBy = before > 0 ? -300 : 300 // the page may be scrolled to its end
  await page.mouse.move(5, 250)
  await page.mouse.wheel(0, wheelBy)
  await page.mouse.click(5, 5) // a press outside does not close a question
  await page.locator('a[href="/dashboard/messages"]').evaluate((link: HTMLElement) => link.focus())
  await expect(page.locator('a:focus')).toHaveCount(0)
  expect(await scrollPosition(page)).toBe(before)

  await cancel.click()
  await expect(confirmDialog(page)).toHaveCount(0)
  await expect(vehicleMenu(page, plate)).toBeFocused()
  await page.mouse.wheel(0, wheelBy)
  await expect.poll(() => scrollPosition(page)).not.toBe(before)

  const calls = recordRequests(page, /^DELETE /)
  await chooseForVehicle(page, plate, 'Delete')
  const box = (await confirm.boundingBox())!
  await page.mouse.dblclick(box.x + box.width / 2, box.y + box.height / 2)
  await expect(toasts(page)).toHaveText(['Vehicle deleted'])
  await expect(page.getByRole('main').locator('li[id]')).toHaveCount(3)
  expect(calls).toHaveLength(1)
  await closeButton(page).click()

  // what is said while another dialog is open is announced once that has closed
  const gate = Promise.withResolvers<void>()
  await page.route('**/api/vehicles/*', async (route) => {
    await gate.promise
    await route.fulfill({ status: 500, json: { ...SERVER_ERROR, error: HOSTILE } })
  })
  await deleteVehicle(page, second)
  await chooseForVehicle(page, third, 'Delete')
  await expect(confirmDialog(page)).toContainText(third)
  gate.resolve()
  await expect(page.locator('main li[id]')).toHaveCount(3) // it came back
  await expect(toasts(page)).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(toasts(page)).toHaveText([`Delete failed: ${HOSTILE}`])
  await toasts(page).hover() // it stays meanwhile
  expect(await horizontalOverflow(page, 'a toast')).toEqual([])
  await expect(toasts(page)).toBeVisible()
})

test('a dialog stays while it works, or closes on a press outside', async ({ person, visit, pageGuard }) => {
  pageGuard.allow(/^500 POST \/functions\/v1\/delete-user/, /^403 GET \/api\/export/)
  const owner = await person()
  const page = await visit({ as: owner, at: '/dashboard/profile' })
  const gate = Promise.withResolvers<void>()
  await page.route('**/functions/v1/delete-user', async (route) => {
    await gate.promise
    await route.fulfill({ status: 500, json: SERVER_ERROR })
  })
  await page.getByRole('button', { name: 'Delete my account' }).click()
  await confirmDialog(page).getByRole('button', { name: 'Delete my account' }).click()
  await expect(confirmDialog(page).getByRole('button', { name: 'Deleting' })).toBeFocused()
  for (let i = 0; i < 3; i++) await page.keyboard.press('Escape')
  // like the back gesture of a phone, which a page may refuse only once
  await confirmDialog(page).evaluate((dialog: HTMLDialogElement) => dialog.close())
  gate.resolve()
  await expect(confirmDialog(page).getByRole('alert')).toContainText(SERVER_ERROR.error)
  await page.keyboard.press('Escape')
  await expect(confirmDialog(page)).toHaveCount(0)

  // one without a question closes on a press outside it, but not on one that began inside
  await owner.ageSessions()
  await page.getByRole('link', { name: 'Your data' }).click()
  const ask = page.getByRole('button', { name: 'Download my data' })
  await ask.click()
  const dialog = page.getByRole('dialog', { name: 'Is it still you?' })
  const title = await dialog.getByRole('heading').boundingBox()
  if (!title) throw new Error('the title is not shown')
  await page.mouse.move(title.x + 2, title.y + 2)
  await page.mouse.down()
  await page.mouse.move(5, 5)
  await page.mouse.up()
  await expect(dialog).toBeVisible()
  await page.keyboard.press('Escape') // a press on text leaves the focus on no control
  await expect(dialog).toHaveCount(0)
  await expect(ask).toBeFocused()
  await ask.click()
  await expect(dialog.getByLabel('Password', { exact: true })).toBeFocused()
  await page.mouse.click(5, 5)
  await expect(dialog).toHaveCount(0)
})

test('a toast replaces the last, stays while read, and returns the focus', async ({ person, visit, pageGuard }) => {
  pageGuard.allow(OFFLINE)
  const owner = await person()
  const plates = [(await owner.registerVehicle()).plate, (await owner.registerVehicle()).plate]
  const page = await visit({ as: owner })
  await page.clock.install()
  await page.goto(VEHICLES)
  await expect(vehicleMenu(page, plates[0] ?? '')).toBeVisible()
  await page.context().setOffline(true)
  for (const plate of plates) await deleteVehicle(page, plate)
  await expect(toasts(page)).toHaveText([/^Delete failed: /])

  await toasts(page).hover()
  await page.clock.fastForward(60_000)
  await expect(toasts(page)).toHaveCount(1)
  const box = await closeButton(page).boundingBox()
  expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44)

  const back = vehicleMenu(page, plates[0] ?? '')
  await back.focus()
  await closeButton(page).focus()
  await page.mouse.move(5, 400)
  await page.clock.fastForward(60_000)
  await expect(toasts(page)).toHaveCount(1)
  await page.keyboard.press('Enter')
  await expect(toasts(page)).toHaveCount(0)
  await expect(back).toBeFocused()

  await deleteVehicle(page, plates[0] ?? '')
  await expect(toasts(page)).toHaveCount(1)
  await page.clock.fastForward(7000)
  await expect(toasts(page)).toHaveCount(0)
})

test('a toast hides neither what is in use nor the end of its page', async ({ person, visit }) => {
  const owner = await person()
  // as high as what the keyboard of a phone leaves
  const page = await visit({ as: owner, at: VEHICLES, options: { viewport: { width: 390, height: 430 } } })
  await page.getByRole('button', { name: 'Menu' }).click()
  await page.getByRole('link', { name: 'View profile' }).click()
  const save = page.getByRole('button', { name: 'Save', exact: true })
  await save.evaluate((button: HTMLElement) => scrollBy(0, button.getBoundingClientRect().bottom - innerHeight))
  await save.click()
  await expect(toasts(page)).toHaveText(['Profile updated!'])
  const bar = toastRegion(page).locator('> div')
  const top = async (of: Locator) => (await of.boundingBox())!.y
  await expect.poll(async () => (await top(save)) + 44 <= (await top(bar))).toBe(true)
  await page.evaluate(() => scrollTo({ top: document.documentElement.scrollHeight, behavior: 'instant' }))
  const last = page.getByRole('main').locator('button, a, input').last()
  await expect.poll(async () => (await top(last)) + 44 <= (await top(bar))).toBe(true)
  await page.goBack()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('My Vehicles')
  await expect(toasts(page)).toHaveCount(0)
})

/** Removes what the oldest supported browsers lack: Safari 16.4, on phones that get nothing newer, and Chrome 111. */
const REMOVE_NEWER_APIS = 'delete Promise.withResolvers; delete URL.canParse; delete Element.prototype.checkVisibility'

test('a browser of 2023 and the keyboard alone are enough for a deletion and menus', async ({ person, visit }) => {
  const owner = await person()
  const [deleted, remaining] = [await owner.registerVehicle(), await owner.registerVehicle()]
  const page = await visit()
  await page.addInitScript({ content: REMOVE_NEWER_APIS })
  await page.goto('/login?next=%2Fdashboard%2Fvehicles')
  await logIn(page, owner.email)
  await expect(page).toHaveURL(/\/dashboard\/vehicles$/)
  await page.reload()
  const actions = vehicleMenu(page, deleted.plate)
  const remove = page.getByRole('main').getByRole('button', { name: 'Delete', exact: true })
  const dialog = page.getByRole('alertdialog')
  await expect(actions).toBeVisible()
  const focused = page.locator(':focus')
  await page.keyboard.press('Tab')
  await expect(focused).toHaveText('Skip to content')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main')).toBeFocused()

  await tabTo(page, actions)
  await page.keyboard.press('Enter')
  await tabTo(page, remove)
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused() // the harmless choice
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(actions).toBeFocused()

  await page.keyboard.press('Space')
  await tabTo(page, remove)
  await page.keyboard.press('Space')
  await expect(dialog.locator(':focus')).toHaveCount(1)
  for (const key of ['Tab', 'Tab', 'Tab', 'Shift+Tab', 'Shift+Tab']) {
    await page.keyboard.press(key)
    await expect(dialog.locator(':focus')).toHaveCount(1) // the page behind cannot be reached
  }
  const confirm = dialog.getByRole('button', { name: /^Delete/ })
  await tabTo(page, confirm)
  await page.keyboard.press('Enter')
  await expect(dialog).toHaveCount(0)
  await expect(actions).toHaveCount(0)
  await expect(vehicleMenu(page, remaining.plate)).toBeVisible()
  // its button is gone: the focus is in the list, not lost at the top of the page
  await expect(page.getByRole('main').locator(':focus')).toHaveCount(1)
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: `Windshield tag ${remaining.plate}` })).toBeFocused()

  await page.setViewportSize({ width: 390, height: 844 })
  const menu = page.getByRole('button', { name: 'Menu' })
  await menu.focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await expect(focused).toHaveText('Dashboard')
  for (let i = 0; i < 3; i++) await page.keyboard.press('Tab')
  await expect(focused).toContainText('Messages')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/dashboard\/messages/)

  // the arrow keys, Home and End move through tabs, and Tab leads to their panel
  const [received, sent] = [page.getByRole('tab', { name: 'Received' }), page.getByRole('tab', { name: 'Sent' })]
  await received.focus()
  for (const [key, chosen] of [
    ['ArrowLeft', sent],
    ['ArrowRight', received],
    ['End', sent],
    ['Home', received],
  ] as const) {
    await page.keyboard.press(key)
    await expect(chosen).toBeFocused()
    await expect(chosen).toHaveAttribute('aria-selected', 'true')
    await expect(page.getByRole('tabpanel', { name: (await chosen.textContent()) ?? '' })).toBeVisible()
  }
  await expect(sent).toHaveAttribute('tabindex', '-1')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('tabpanel', { name: 'Received' })).toBeFocused()
  await expect(page).toHaveURL(/view=received$/)
})
