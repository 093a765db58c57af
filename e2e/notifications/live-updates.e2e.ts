import { expect, test } from '../support/fixtures.ts'

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
