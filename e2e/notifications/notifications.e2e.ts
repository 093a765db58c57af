import { randomUUID } from 'node:crypto'
import { expect, test } from '../support/fixtures.ts'
import { menu } from '../support/page-objects.ts'
import type { Person } from '../support/people.ts'
import type { Product } from '../support/product.ts'

/** Adds a notification of a type that this release never creates. */
async function insertNotification({ db }: Product, to: Person, type: string, data: Record<string, string>) {
  const [{ number } = { number: 0 }] = await db<{ number: number }[]>`
    insert into notification_counters (user_id, last_number) values (${to.id}, 1)
    on conflict (user_id) do update set last_number = notification_counters.last_number + 1
    returning last_number as number`
  await db`
    insert into notifications (id, user_id, number, type, data)
    values (${randomUUID()}, ${to.id}, ${number}, ${type}, ${db.json(data)})`
}

const unreadText = (count: number) => `${count} unread notifications`

test('older ones load page by page, each once, and one of a type that only a later release knows has no link', async ({
  person,
  product,
  visit,
}) => {
  const owner = await person()
  const vehicle = await owner.registerVehicle('TYPES1')
  const data = { plate: 'TYPES1', vehicle_id: vehicle.id }
  for (const type of ['driver_joined', 'from_the_future']) await insertNotification(product, owner, type, data)
  const page = await visit({ as: owner, at: '/dashboard/notifications' })
  const items = page.getByRole('main').getByRole('listitem')
  await expect(items).toHaveCount(2)
  await expect(items.first().getByRole('link')).toHaveCount(0)
  await expect(items.first()).toContainText(/^[A-Z][a-z]{2} \d{1,2}, \d{4} \d{1,2}:\d{2} [AP]M/)
  await page.getByRole('link', { name: 'Someone joined TYPES1 as a driver' }).click()
  await expect(page).toHaveURL(new RegExp(`/dashboard/vehicles#${vehicle.id}$`))
  await expect(page.getByRole('listitem', { name: 'Honda Civic 2020' })).toBeFocused()

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
  await expect(menu(page).link('Notifications')).toContainText(unreadText(25))
  held.resolve()
  await expect(links).toHaveCount(24)
  const targets = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')))
  expect(new Set(targets).size).toBe(24)
  await expect(page.getByRole('button', { name: 'Load more' })).toHaveCount(0)
})

test('an error undoes what was marked read, one or all, and a reload shows what the server has stored', async ({
  person,
  visit,
  pageGuard,
}) => {
  pageGuard.allow(/^500 (PATCH|POST) \/api\/notifications/)
  const [owner, sender] = [await person(), await person()]
  const { plate } = await owner.registerVehicle()
  for (let i = 0; i < 3; i++) await sender.sendMessage(plate, `Message ${i}`)
  const page = await visit({ as: owner, at: '/dashboard/notifications' })
  const badge = menu(page).link('Notifications')
  const items = page.getByRole('main').getByRole('listitem')
  await expect(items).toHaveCount(3)
  await expect(badge).toContainText(unreadText(3))

  const error = 'Something went wrong on our side. Please try again.'
  const serverError = { status: 500, json: { error, code: 'unexpected' } }
  await page.route(/\/api\/notifications\/[0-9a-f-]{36}|read-all/, (route) => route.fulfill(serverError))
  await items.last().getByRole('button', { name: 'Mark read' }).click()
  await expect(page.getByText(error)).toBeVisible()
  await expect(badge).toContainText(unreadText(3))
  await expect(items.last().getByRole('button', { name: 'Mark read' })).toBeVisible()
  await page.getByRole('button', { name: 'Close' }).click()
  await expect(page.getByText(error)).toHaveCount(0)
  await page.getByRole('button', { name: 'Mark all read' }).click()
  await expect(page.getByText(error)).toBeVisible()
  await expect(badge).toContainText(unreadText(3))
  await page.unroute(/\/api\/notifications\/[0-9a-f-]{36}|read-all/)

  // the screen changes before the server has responded
  const saved = page.waitForResponse(/read-all/)
  await page.getByRole('button', { name: 'Mark all read' }).click()
  await expect(badge).not.toContainText('unread')
  await expect(page.getByText('You’re all caught up.')).toBeVisible()
  await saved
  await page.reload()
  await expect(items.getByRole('button', { name: 'Mark unread' })).toHaveCount(3)
  await expect(badge).not.toContainText('unread')
})
