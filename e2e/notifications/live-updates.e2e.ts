import { expect, test } from '../support/fixtures.ts'
import { logIn, menu } from '../support/page-objects.ts'
import { startSecondServer } from '../support/product.ts'

test('two tabs stay in sync without a reload @always', async ({ person, visit }) => {
  const [owner, sender] = [await person(), await person()]
  const { plate } = await owner.registerVehicle()
  const dashboard = await visit({ as: owner, at: '/dashboard' })
  const notifications = await dashboard.context().newPage()
  await notifications.goto('/dashboard/notifications')
  await expect(notifications.getByText('No notifications.')).toBeVisible()

  await sender.sendMessage(plate, 'Your lights are on.')
  await expect(dashboard.getByText('Your lights are on.')).toBeVisible()
  await expect(notifications.getByRole('link', { name: `New message for ${plate}` })).toBeVisible()
  for (const tab of [dashboard, notifications]) {
    await expect(menu(tab).link('Notifications')).toContainText('1 unread notification')
  }
  await notifications.getByRole('button', { name: 'Mark all read' }).click()
  await expect(menu(dashboard).link('Notifications')).not.toContainText('unread')
})

test('what arrives while a page loads for the first time is shown on it', async ({ person, visit }) => {
  const [owner, sender] = [await person(), await person()]
  const { plate } = await owner.registerVehicle()
  const page = await visit({ as: owner })
  const streamOpened = page.waitForResponse('**/api/live')
  await page.route(
    '**/api/dashboard',
    async (route) => {
      const early = await route.fetch() // the server's response from before the message …
      await sender.sendMessage(plate, 'In between')
      await streamOpened
      await route.fulfill({ response: early }).catch(() => {}) // … arrives after it, unless nothing waits for it any more
    },
    { times: 1 },
  )
  await page.goto('/dashboard')
  await expect(page.getByText('In between')).toBeVisible()
})

test('updates about a message do not reload the account', async ({ person, visit }) => {
  const [owner, sender] = [await person(), await person()]
  const { plate } = await owner.registerVehicle()
  const page = await visit({ as: owner })
  const requested: string[] = []
  page.on('request', (request) => requested.push(new URL(request.url()).pathname))
  await page.goto('/dashboard/profile')
  await expect(page.getByRole('main').getByText('Loading…')).toHaveCount(0)
  const countRefresh = page.waitForRequest('**/api/notifications/unread-count')
  await sender.sendMessage(plate, 'Your lights are on.')
  await countRefresh
  await expect(menu(page).link('Notifications')).toContainText('1 unread notification')
  const accountPaths = ['/api/preferences', '/api/push', '/api/sessions']
  expect(requested.filter((path) => accountPaths.includes(path)).toSorted()).toEqual(accountPaths)
})

test('updates do not disturb a text being written', async ({ person, visit }) => {
  const [owner, sender] = [await person(), await person()]
  const { plate } = await owner.registerVehicle()
  await sender.sendMessage(plate, 'The first')
  const page = await visit({ as: owner, at: '/dashboard/messages' })
  const reply = page.getByLabel('Reply')
  await reply.pressSequentially('I am writ')
  await sender.sendMessage(plate, 'The second')
  const newer = page.getByRole('button', { name: '1 new message' })
  await expect(newer).toBeVisible()
  await expect(page.getByText('The second')).toHaveCount(0)
  await expect(reply).toBeFocused()
  await expect(reply).toHaveValue('I am writ')
  await newer.click()
  await expect(page.getByText('The second')).toBeVisible()
  await expect(page.getByRole('article').last().getByLabel('Reply')).toHaveValue('I am writ')
})

test('pages reconnect to a server that was killed and restarted, and miss nothing', async ({
  person,
  product,
  visit,
  pageGuard,
}) => {
  pageGuard.allow(/net::ERR_(CONNECTION_REFUSED|INCOMPLETE_CHUNKED_ENCODING|CONNECTION_RESET|EMPTY_RESPONSE)/)
  const [owner, sender] = [await person(), await person()]
  const { plate } = await owner.registerVehicle()
  const page = await visit({ as: owner, at: '/dashboard' })
  await sender.sendMessage(plate, 'Before the crash')
  await expect(page.getByText('Before the crash')).toBeVisible()

  await product.kill()
  await expect(page.getByText('Reconnecting…')).toBeVisible()
  await product.start()
  await sender.sendMessage(plate, 'After the crash')
  await expect(page.getByText('After the crash')).toBeVisible({ timeout: 30_000 })
  await expect(page.getByText('Before the crash')).toBeVisible()
  await expect(page.getByText('Reconnecting…')).toHaveCount(0)
  await expect(menu(page).link('Notifications')).toContainText('2 unread notifications')
  await sender.sendMessage(plate, 'Live again')
  await expect(page.getByText('Live again')).toBeVisible()
})

test('the sender sees a reply as it arrives @always', async ({ person, visit }) => {
  const [owner, sender] = [await person(), await person()]
  const { plate } = await owner.registerVehicle()
  const id = await sender.sendMessage(plate, 'You are blocking my driveway.')
  const page = await visit({ as: sender, at: '/dashboard/messages?view=sent' })
  const card = page.getByRole('article', { name: `Message to ${plate}` })
  await expect(card).toContainText('No reply yet')
  const theirs = await visit({ as: owner, at: `/dashboard/messages?view=received#${id}` })
  const reply = theirs.getByRole('article', { name: `Message to ${plate}` })
  await reply.getByRole('group', { name: 'Quick replies' }).getByRole('button', { name: 'On my way' }).click()
  await reply.getByRole('button', { name: 'Send reply' }).click()
  await expect(card).toContainText('I’m on my way.')
  await expect(menu(page).link('Notifications')).toContainText('1 unread notification')
})

test('what one server process stores is shown at once on a page of another', async ({ person, product, visit }) => {
  const other = await startSecondServer(product)
  const [owner, sender] = [await person(), await person()]
  const { plate } = await owner.registerVehicle()
  const options = { baseURL: other.url, storageState: await owner.storageState({ origin: other.url }) }
  const page = await visit({ at: '/dashboard', options })
  await expect(page.getByRole('heading', { name: 'Hello, Alex' })).toBeVisible()
  await sender.sendMessage(plate, 'From the other side')
  await expect(page.getByText('From the other side')).toBeVisible({ timeout: 10_000 }) // sooner than by the heartbeat
  await page.context().close()
  expect(await other.stop()).toBe(0)
})

test('a lost connection is reported, and what came meanwhile is there when it is back', async ({
  person,
  visit,
  pageGuard,
}) => {
  pageGuard.allow(/net::ERR_INTERNET_DISCONNECTED/)
  const [owner, sender] = [await person(), await person()]
  const { plate } = await owner.registerVehicle()
  const page = await visit({ as: owner, at: '/dashboard/messages' })
  await expect(page.getByText('No messages yet')).toBeVisible()
  await page.context().setOffline(true)
  await expect(page.getByText('You’re offline. What you see may be out of date.')).toBeVisible()
  await sender.sendMessage(plate, 'While you were away')
  await page.context().setOffline(false)
  await expect(page.getByText('While you were away')).toBeVisible({ timeout: 30_000 })
  await expect(page.getByText('You’re offline.')).toHaveCount(0)
})

test('a session the server has ended leads to the login and back', async ({ person, visit, pageGuard }) => {
  pageGuard.allow(/^40[013] (GET|POST) \/(api|auth)\//)
  const owner = await person()
  const page = await visit({ as: owner, at: '/dashboard' })
  await expect(page.getByRole('heading', { name: 'Hello, Alex' })).toBeVisible()
  await page.goto('about:blank') // an open page goes to the login by itself, which would end the visit below
  await owner.signOutEverywhere()
  await page.goto('/dashboard/vehicles')
  await expect(page).toHaveURL(/\/login\?next=%2Fdashboard%2Fvehicles$/)
  await logIn(page, owner.email)
  await expect(page.getByRole('heading', { name: 'My Vehicles' })).toBeVisible()
})
