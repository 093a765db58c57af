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

const unreadText = (count: number) => `${count} unread notification${count === 1 ? '' : 's'}`

test('loading, empty and failed lists say so', async ({ person, visit, pageGuard }) => {
  pageGuard.allow(/^400 GET \/api\/notifications/)
  const page = await visit({ as: await person() })
  // once connected the page reloads its data, and the error would disappear by itself
  await page.route('**/api/live', () => {})
  const gate = Promise.withResolvers<void>()
  await page.route('**/api/notifications', async (route) => {
    await gate.promise
    await route.continue()
  })
  await page.goto('/dashboard/notifications')
  await expect(page.getByText('Loading notifications…')).toBeVisible()
  gate.resolve()
  await expect(page.getByText('No notifications.')).toBeVisible()

  await page.unroute('**/api/notifications')
  const json = { error: 'Please check what you entered.', code: 'invalid_input' }
  await page.route('**/api/notifications', (route) => route.fulfill({ status: 400, json }))
  await page.reload()
  const alert = page.getByRole('alert').filter({ hasText: json.error })
  await expect(alert).toBeVisible()
  await page.unroute('**/api/notifications')
  await alert.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('No notifications.')).toBeVisible()
})

test('every type has its text and its link, and an unknown one has none', async ({ person, product, visit }) => {
  const owner = await person()
  const vehicle = await owner.registerVehicle('TYPES1')
  const data = { plate: 'TYPES1', vehicle_id: vehicle.id }
  for (const type of ['vehicle_approved', 'vehicle_rejected', 'vehicle_deleted', 'driver_joined', 'from_the_future']) {
    await insertNotification(product, owner, type, data)
  }
  const page = await visit({ as: owner, at: '/dashboard/notifications' })
  const items = page.getByRole('main').getByRole('listitem')
  await expect(items).toHaveCount(5)
  await expect(items.first().getByRole('link')).toHaveCount(0)
  await expect(items.first()).toContainText(/^[A-Z][a-z]{2} \d{1,2}, \d{4} \d{1,2}:\d{2} [AP]M/)
  const texts = ['approved', 'rejected', 'deleted'].map((end) => `Your vehicle (TYPES1) was ${end}`)
  for (const name of [...texts, 'Someone joined TYPES1 as a driver']) {
    const link = page.getByRole('link', { name })
    await expect(link).toHaveAttribute('href', `/dashboard/vehicles#${vehicle.id}`)
  }
  await page.getByRole('link', { name: 'Your vehicle (TYPES1) was approved' }).click()
  await expect(page.getByRole('listitem', { name: 'Honda Civic 2020' })).toBeFocused()
})

test('one or all can be marked read, the badge follows, and an error undoes it @always', async ({
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

  await items.first().getByRole('button', { name: 'Mark read' }).click()
  await expect(badge).toContainText(unreadText(2))
  await items.first().getByRole('button', { name: 'Mark unread' }).click()
  await expect(badge).toContainText(unreadText(3))

  const error = 'Something went wrong on our side. Please try again.'
  const serverError = { status: 500, json: { error, code: 'unexpected' } }
  await page.route(/\/api\/notifications\/[0-9a-f-]{36}|read-all/, (route) => route.fulfill(serverError))
  await items.last().getByRole('button', { name: 'Mark read' }).click()
  await expect(page.getByText(error)).toBeVisible()
  await expect(badge).toContainText(unreadText(3))
  await expect(items.last().getByRole('button', { name: 'Mark read' })).toBeVisible()
  await page.getByRole('button', { name: 'Mark all read' }).click()
  await expect(page.getByText(error)).toHaveCount(2)
  await expect(badge).toContainText(unreadText(3))
  await page.unroute(/\/api\/notifications\/[0-9a-f-]{36}|read-all/)

  // the screen changes before the server has responded; a reload shows what the server has stored
  const saved = page.waitForResponse(/read-all/)
  await page.getByRole('button', { name: 'Mark all read' }).click()
  await expect(badge).not.toContainText('unread')
  await expect(page.getByText('You’re all caught up.')).toBeVisible()
  await saved
  await page.reload()
  await expect(items.getByRole('button', { name: 'Mark unread' })).toHaveCount(3)
  await expect(badge).not.toContainText('unread')
})

test('older ones load page by page, each once', async ({ person, visit }) => {
  const [owner, sender] = [await person(), await person()]
  const { plate } = await owner.registerVehicle()
  for (let i = 0; i < 25; i++) await sender.sendMessage(plate, `Message ${i}`)
  const page = await visit({ as: owner, at: '/dashboard/notifications' })
  const links = page.getByRole('main').getByRole('link', { name: `New message for ${plate}` })
  await expect(links).toHaveCount(20)
  // another one arrives while the page is open: nothing is shown twice or left out
  await sender.sendMessage(plate, 'One more')
  await expect(menu(page).link('Notifications')).toContainText(unreadText(26))
  await page.getByRole('button', { name: 'Load more' }).click()
  await expect(links).toHaveCount(26)
  const targets = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')))
  expect(new Set(targets).size).toBe(26)
  await expect(page.getByRole('button', { name: 'Load more' })).toHaveCount(0)
})
