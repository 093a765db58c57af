import { expect, test } from '../support/fixtures.ts'
import { SERVER_ERROR } from '../support/page-objects.ts'

test('messages are found and marked, and a mark is undone @phone', async ({ person, visit, audit, pageGuard }) => {
  pageGuard.allow(/^500 PATCH \/api\/messages/)
  const [owner, sender] = [await person(), await person()]
  const [first, second] = [await owner.registerVehicle(), await owner.registerVehicle()]
  const lights = await sender.sendMessage(first.plate, 'Vos phares sont allumés près de l’école')
  const window = await sender.sendMessage(second.plate, 'A window is open')
  const page = await visit({ as: owner, at: '/dashboard/messages' })
  const rows = page.getByRole('tabpanel').getByRole('listitem')
  const isRead = async (id: string) => (await owner.receivedMessages()).find((one) => one.id === id)?.is_read
  await expect(rows).toHaveCount(2)

  await page.getByLabel('Vehicle', { exact: true }).selectOption(first.plate)
  await expect(rows).toHaveCount(1)
  await expect(rows).toContainText('phares')
  await page.reload() // the filter is in the address
  await expect(rows).toHaveCount(1)

  await page.getByRole('button', { name: 'Unread', exact: true }).press('Enter')
  await expect(page.getByRole('button', { name: 'Unread', exact: true, pressed: true })).toBeVisible()
  // opened, it is read, and stays open; marked by hand, that can be undone
  await rows.getByRole('link').click()
  const card = page.getByRole('article')
  await expect.poll(() => isRead(lights)).toBe(true)
  // the server refuses a mark: it goes back
  const address = `**/api/messages/${lights}`
  await page.route(address, (route) =>
    route.request().method() === 'PATCH' ? route.fulfill({ status: 500, json: SERVER_ERROR }) : route.fallback(),
  )
  await card.getByRole('button', { name: 'Mark unread' }).click()
  await expect(page.getByText(SERVER_ERROR.error)).toBeVisible()
  await page.unroute(address)
  expect(await isRead(lights)).toBe(true)
  await card.getByRole('button', { name: 'Mark unread' }).click()
  await expect.poll(() => isRead(lights)).toBe(false)
  await card.getByRole('button', { name: 'Mark read' }).click()
  await page.getByRole('button', { name: 'Undo' }).focus() // so it stays, however long the looks take
  await audit(page, 'unread messages, and undo')
  await expect.poll(() => isRead(lights)).toBe(true)
  await page.getByRole('button', { name: 'Undo' }).press('Enter')
  await expect.poll(() => isRead(lights)).toBe(false)
  await expect(page.getByText('Marked as read')).toHaveCount(0)
  await card.getByRole('button', { name: 'Mark read' }).click()
  await page.goBack()
  await expect(page.getByText('No unread messages')).toBeVisible()
  await page.getByRole('button', { name: 'Show all messages' }).click()
  await expect(rows).toHaveCount(2)

  const field = page.getByLabel('Search the messages you received')
  await field.fill('x')
  await field.press('Enter')
  await expect(page.getByText('Enter at least 2 characters.')).toBeVisible()
  await audit(page, 'search for too little')
  await field.fill('PHARES ecole')
  await field.press('Enter')
  await expect(page.getByText('1 message found. All messages searched.')).toBeVisible()
  await audit(page, 'messages found')
  await expect(rows).toHaveCount(1)
  await expect(page).not.toHaveURL(/phares|ecole/i)
  await field.fill('giraffe')
  await field.press('Enter')
  await expect(page.getByText('No message contains these words')).toBeVisible()
  await audit(page, 'no message found')
  await page.getByRole('button', { name: 'Clear the search' }).click()
  await expect(rows).toHaveCount(2)
  expect(await isRead(window)).toBe(false)
})
