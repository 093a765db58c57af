import { formPages, ownerPages, textPages } from '../../web/pages.mjs'
import { expect, test } from '../support/fixtures.ts'
import { vehicleMenu } from '../support/page-objects.ts'
import { createPopulatedUser } from '../support/populated-user.ts'
import { auditTabOrder, tabTo } from '../support/tab-order.ts'

const PHONE = { width: 390, height: 844 }
const DESKTOP = { width: 1440, height: 900 }
const PUBLIC_PAGES = [...textPages, ...formPages, '/no-such-page']

/** `npm test` goes through these; `npm run test:full` through every page, in both sizes. */
const USUAL_PUBLIC_PAGES = ['/', '/signup']
const USUAL_OWNER_PAGES = ['/dashboard/messages', '/dashboard/profile']

for (const { title, viewport, publicPages, signedInPages, tag } of [
  {
    title: 'of the usual pages',
    viewport: PHONE,
    publicPages: USUAL_PUBLIC_PAGES,
    signedInPages: USUAL_OWNER_PAGES,
    tag: [],
  },
  { title: 'on a phone', viewport: PHONE, publicPages: PUBLIC_PAGES, signedInPages: ownerPages, tag: ['@full'] },
  { title: 'on a desktop', viewport: DESKTOP, publicPages: PUBLIC_PAGES, signedInPages: ownerPages, tag: ['@full'] },
]) {
  test(`Tab reaches every control ${title}, in order and visibly`, { tag }, async ({ person, visit, pageGuard }) => {
    pageGuard.allow(/^404 GET \/no-such-page/)
    const options = { viewport }
    const visitor = await visit({ options })
    const problems = []
    for (const path of publicPages) {
      await visitor.goto(path)
      await expect(visitor.getByRole('heading', { level: 1 })).toBeVisible()
      problems.push(...(await auditTabOrder(visitor, path)))
    }
    const page = await visit({ as: await createPopulatedUser(() => person()), options })
    for (const path of signedInPages) {
      await page.goto(path)
      await expect(page.locator('main :is(article, li, form, .border-dashed, section button)').first()).toBeVisible()
      await expect(page.locator('main .skeleton')).toHaveCount(0)
      // the choice of a vehicle comes when the vehicles are known; a copy or a card of no message leads to the messages
      if (/^\/dashboard\/(message|collision)/.test(path)) await expect(page.locator('main select')).toBeVisible()
      problems.push(...(await auditTabOrder(page, path)))
    }
    expect(problems).toEqual([])
  })
}

test('an owner uses the skip link, deletes a vehicle and opens the menu of a small screen with the keyboard alone', async ({
  person,
  visit,
}) => {
  const owner = await person()
  const [deleted, remaining] = [await owner.registerVehicle(), await owner.registerVehicle()]
  const page = await visit({ as: owner, at: '/dashboard/vehicles' })
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

  await page.setViewportSize(PHONE)
  const menu = page.getByRole('button', { name: 'Menu' })
  await menu.focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await expect(focused).toHaveText('Dashboard')
  for (let i = 0; i < 3; i++) await page.keyboard.press('Tab')
  await expect(focused).toContainText('Messages')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/dashboard\/messages/)
})
