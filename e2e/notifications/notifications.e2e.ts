import { expect, test } from '../support/fixtures.ts'
import { menu } from '../support/page-objects.ts'

const unreadText = (count: number) => `${count} unread notifications`

test('older ones load page by page, each once, and an error undoes a mark', async ({ person, visit, pageGuard }) => {
  pageGuard.allow(/^500 (PATCH|POST) \/api\/notifications/)
  const owner = await person()
  await owner.registerVehicle('TYPES1')
  const page = await visit({ as: owner })
  const sender = await person()
  for (let i = 0; i < 23; i++) await sender.sendMessage('TYPES1', `Message ${i}`)
  await page.goto('/dashboard/notifications')
  const links = page.getByRole('main').getByRole('link', { name: 'New message for TYPES1' })
  await expect(links).toHaveCount(20)
  // another one arrives while more are loaded: the press counts, and nothing is shown twice or left out
  const held = Promise.withResolvers<void>()
  await page.route(/\/api\/notifications\?.*cursor/, async (route) => {
    await held.promise
    await route.continue()
  })
  await page.getByRole('button', { name: 'Load more' }).click()
  const counted = page.waitForResponse('**/api/notifications/unread-count')
  await sender.sendMessage('TYPES1', 'One more')
  await counted
  const badge = menu(page).link('Notifications')
  await expect(badge).toContainText(unreadText(24))
  held.resolve()
  await expect(links).toHaveCount(24)
  const targets = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')))
  expect(new Set(targets).size).toBe(24)
  await expect(page.getByRole('button', { name: 'Load more' })).toHaveCount(0)

  // an error undoes what was marked read, one or all
  const items = page.getByRole('main').getByRole('listitem')
  const error = 'Something went wrong on our side. Please try again.'
  const serverError = { status: 500, json: { error, code: 'unexpected' } }
  await page.route(/\/api\/notifications\/[0-9a-f-]{36}|read-all/, (route) => route.fulfill(serverError))
  await items.last().getByRole('button', { name: 'Mark read' }).click()
  await expect(page.getByText(error)).toBeVisible()
  await expect(badge).toContainText(unreadText(24))
  await expect(items.last().getByRole('button', { name: 'Mark read' })).toBeVisible()
  await page.getByRole('button', { name: 'Close' }).click()
  await expect(page.getByText(error)).toHaveCount(0)
  await page.getByRole('button', { name: 'Mark all read' }).click()
  await expect(page.getByText(error)).toBeVisible()
  await expect(badge).toContainText(unreadText(24))
})
