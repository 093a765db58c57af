import { expect, test } from '../support/fixtures.ts'
import { menu, simulateTabReturn } from '../support/page-objects.ts'

test('every tab that is seen shows what arrives, and what is read in another one', async ({ person, visit }) => {
  const [owner, sender] = [await person(), await person()]
  const { plate } = await owner.registerVehicle()
  const first = await visit({ as: owner, at: '/dashboard' })
  const other = await first.context().newPage()
  await other.goto('/dashboard')
  await sender.sendMessage(plate, 'To both of them')
  for (const tab of [first, other]) {
    await expect(tab.getByRole('listitem').filter({ hasText: 'To both of them' })).toBeVisible()
    await expect(menu(tab).link('Notifications')).toContainText('1 unread notification')
  }
  await other.goto('/dashboard/notifications')
  await other.getByRole('button', { name: 'Mark all read' }).click()
  await expect(menu(first).link('Notifications')).not.toContainText('unread')
})

test('a tab out of sight ends its stream, and catches up when it is seen', async ({ person, visit }) => {
  const [owner, sender] = [await person(), await person()]
  const { plate } = await owner.registerVehicle()
  const page = await visit({ as: owner })
  await page.clock.install()
  const opened = page.waitForRequest('**/api/live')
  await page.goto('/dashboard')
  const stream = await opened
  const show = (visible: boolean) =>
    page.evaluate(`
      Object.defineProperty(document, 'hidden', { configurable: true, value: ${!visible} })
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`)
  const closed = page.waitForEvent('requestfailed', (request) => request === stream)
  await show(false)
  await page.clock.fastForward(50_000)
  await sender.sendMessage(plate, 'Just out of sight')
  await expect(page.getByRole('listitem').filter({ hasText: 'Just out of sight' })).toBeVisible()
  await page.clock.fastForward(11_000)
  await closed
  await sender.sendMessage(plate, 'Long out of sight')
  await show(true)
  await expect(page.getByRole('listitem').filter({ hasText: 'Long out of sight' })).toBeVisible()
  await sender.sendMessage(plate, 'Seen again')
  await expect(page.getByRole('listitem').filter({ hasText: 'Seen again' })).toBeVisible()
})

test('a tab that slept shows nothing of the former user', async ({ person, visit, pageGuard }) => {
  pageGuard.allow(/^401 GET \/api\//) // what it was just loading
  const [former, now] = [await person({ fullName: 'Former Person' }), await person({ fullName: 'Present Person' })]
  const page = await visit({ as: former, at: '/dashboard' })
  await expect(page.getByRole('heading', { name: 'Hello, Former' })).toBeVisible()
  await page.context().addCookies((await now.storageState()).cookies)
  await simulateTabReturn(page)
  await expect(page.getByRole('heading', { name: 'Hello, Present' })).toBeVisible()
  await page.context().clearCookies()
  await simulateTabReturn(page)
  await expect(page).toHaveURL(/\/login\?next=%2Fdashboard$/)
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
  await expect(page.getByRole('listitem').filter({ hasText: 'In between' })).toBeVisible()
})
