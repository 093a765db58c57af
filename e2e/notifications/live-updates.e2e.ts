import { expect, test } from '../support/fixtures.ts'
import { menu } from '../support/page-objects.ts'

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

test('pages reconnect to a server that was killed and restarted, miss nothing, and everybody is still signed in', async ({
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
  await expect(page.getByRole('listitem').filter({ hasText: 'Before the crash' })).toBeVisible()

  await product.kill()
  await expect(page.getByText('Reconnecting…')).toBeVisible()
  await product.start()
  await sender.sendMessage(plate, 'After the crash')
  await expect(page.getByRole('listitem').filter({ hasText: 'After the crash' })).toBeVisible({ timeout: 30_000 })
  await expect(page.getByRole('listitem').filter({ hasText: 'Before the crash' })).toBeVisible()
  await expect(page.getByText('Reconnecting…')).toHaveCount(0)
  await expect(menu(page).link('Notifications')).toContainText('2 unread notifications')
  await sender.sendMessage(plate, 'Live again')
  await expect(page.getByRole('listitem').filter({ hasText: 'Live again' })).toBeVisible()
  await page.goto('/dashboard/vehicles')
  await expect(page.getByRole('img', { name: `Licence plate ${plate}, Ontario` })).toBeVisible()
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
  await expect(page.getByRole('article')).toContainText('While you were away', { timeout: 30_000 })
  await expect(page.getByText('You’re offline.')).toHaveCount(0)
})
