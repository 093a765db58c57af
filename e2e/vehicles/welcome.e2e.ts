import type { BrowserContextOptions, Page } from '@playwright/test'
import { localizedPath, paths } from '#contract/paths.ts'
import { expect, inFullBrowser, test } from '../support/fixtures.ts'
import { IPHONE_USER_AGENT, vehicleForm } from '../support/page-objects.ts'
import { newEmail, newPlate } from '../support/people.ts'
import { fakePushService } from '../support/push.ts'

test.use(inFullBrowser)

const contextOptions: BrowserContextOptions = { serviceWorkers: 'allow', permissions: ['notifications'] }

const offer = (page: Page, title: string) =>
  page
    .getByRole('main')
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name: title }) })

test('after a registration one screen says that the plate is active, offers three things, each in one tap, and shows what is done @phone', async ({
  person,
  visit,
  product,
  audit,
}) => {
  const owner = await person()
  const page = await visit({ as: owner, options: contextOptions })
  await page.addInitScript({ content: fakePushService() })
  const register = async () => {
    const plate = newPlate()
    await page.goto('/dashboard/vehicle/new')
    await vehicleForm(page).fill(plate)
    await vehicleForm(page).button.press('Enter') // a hint may come at that moment, and would move the button away from a press
    await expect(page.getByText('Plate registered successfully.')).toBeVisible()
    return plate
  }
  await register()
  await expect(page).toHaveURL(/\/dashboard\/vehicles\/[0-9a-f-]{36}\/welcome$/)
  await expect(page.getByRole('main').getByRole('heading', { level: 2 })).toHaveText([
    'Notifications on this device',
    'Windshield tag',
    'Who drives it',
  ])
  const done = (title: string) => offer(page, title).getByText('Done', { exact: true })
  await expect(page.getByText('Done', { exact: true })).toHaveCount(0)

  await page.getByRole('button', { name: 'Turn on notifications' }).click()
  await expect(done('Notifications on this device')).toBeVisible()
  await expect(offer(page, 'Notifications on this device')).toBeFocused()
  expect(await product.db`select from push_subscriptions where user_id = ${owner.id}`).toHaveLength(1)
  await page.reload()
  await expect(done('Notifications on this device')).toBeVisible()

  await page.getByRole('button', { name: 'Make a tag' }).click()
  await expect(page.getByRole('button', { name: 'Print' })).toBeVisible()
  await page.goBack()
  await expect(done('Windshield tag')).toBeVisible()
  await audit(page, 'after the first vehicle')
  await page.getByRole('link', { name: 'See the tag' }).click()
  await expect(page.getByRole('button', { name: 'Print' })).toBeVisible()
  await page.goBack()

  await page.getByRole('link', { name: 'Invite a driver' }).click()
  await expect(page.getByLabel('Their email address')).toBeFocused()
  await page.keyboard.type(newEmail())
  await page.keyboard.press('Enter')
  await expect(page.getByText('Pass this link on.')).toBeVisible()
  await page.goBack()
  await expect(done('Who drives it')).toBeVisible()
  await page.getByRole('link', { name: 'Go to My Vehicles' }).click()
  await expect(page).toHaveURL(/\/dashboard\/vehicles#[0-9a-f-]{36}$/)

  const second = await register()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`${second} is active`)
})

test('a browser that cannot be told offers the rest, or says what to do', async ({ person, visit, pageGuard }) => {
  pageGuard.allow(/^404 GET \/api\/vehicles\/\S+\/people$/) // the other pages ask again when they get the focus
  const owner = await person()
  const { id } = await owner.registerVehicle()
  const notifications = 'Notifications on this device'
  const SETTINGS = '/dashboard/profile/notifications'

  // a browser without a screen to ask on has denied it
  const denied = await visit({
    as: owner,
    at: paths.vehicleWelcome(id),
    options: { ...contextOptions, permissions: [] },
  })
  await expect(offer(denied, notifications)).toContainText('Notifications from PlateNote are blocked in this browser.')
  await expect(offer(denied, notifications).getByRole('button')).toHaveCount(0)

  const iPhone = await visit({
    as: owner,
    language: 'fr-CA',
    options: { ...contextOptions, userAgent: IPHONE_USER_AGENT },
  })
  await iPhone.addInitScript('delete window.PushManager')
  await iPhone.goto(localizedPath(paths.vehicleWelcome(id), 'fr-CA'))
  await expect(offer(iPhone, 'Notifications sur cet appareil')).toContainText(
    'ajoutez d’abord PlateNote à votre écran d’accueil',
  )
  await expect(offer(iPhone, 'Notifications sur cet appareil').getByRole('button')).toHaveCount(0)

  // inside another app, where there are neither service workers nor notifications
  const inside = await visit({
    as: owner,
    options: { ...contextOptions, userAgent: IPHONE_USER_AGENT.replace(/ Safari\S+/, ' [FBAN/FBIOS]') },
  })
  await inside.addInitScript(`delete Navigator.prototype.serviceWorker
    delete window.PushManager
    delete window.Notification`)
  await inside.goto(SETTINGS)
  await expect(inside.getByText('This browser can’t show notifications.')).toBeVisible()
  await inside.goto(paths.vehicleWelcome(id))
  await expect(offer(inside, 'Windshield tag')).toBeVisible()
  await expect(offer(inside, notifications)).toHaveCount(0)
  await owner.deleteVehicle({ id })
  await inside.reload()
  await expect(inside.getByText('The vehicle you’re looking for is no longer in your list.')).toBeVisible()
  await inside.getByRole('button', { name: 'Sign Out' }).click()
  await expect(inside).toHaveURL(/\/$/)
})
