import { expect, test } from '../support/fixtures.ts'

test('messages are found by vehicle, by unread and by words, and a mark is undone @phone', async ({
  person,
  visit,
}) => {
  const [owner, sender] = [await person(), await person()]
  const [first, second] = [await owner.registerVehicle(), await owner.registerVehicle()]
  const lights = await sender.sendMessage(first.plate, 'Vos phares sont allumés près de l’école')
  const window = await sender.sendMessage(second.plate, 'A window is open')
  const page = await visit({ as: owner, at: '/dashboard/messages' })
  const cards = page.getByRole('tabpanel').getByRole('article')
  const isRead = async (id: string) => (await owner.receivedMessages()).find((one) => one.id === id)?.is_read
  await expect(cards).toHaveCount(2)

  await page.getByLabel('Vehicle', { exact: true }).selectOption(first.plate)
  await expect(cards).toHaveCount(1)
  await expect(cards).toContainText('phares')
  await page.reload() // the filter is in the address
  await expect(cards).toHaveCount(1)

  await page.getByRole('button', { name: 'Unread', exact: true }).press('Enter')
  await expect(page.getByRole('button', { name: 'Unread', exact: true, pressed: true })).toBeVisible()
  await cards.getByRole('button', { name: 'Mark read' }).click()
  await expect(page.getByText('No unread messages')).toBeVisible()
  await expect(page.getByText('Marked as read')).toBeVisible()
  expect(await isRead(lights)).toBe(true)
  await page.getByRole('button', { name: 'Undo' }).press('Enter')
  await expect(cards).toHaveCount(1)
  await expect.poll(() => isRead(lights)).toBe(false)
  await expect(page.getByText('Marked as read')).toHaveCount(0)

  await cards.getByRole('button', { name: 'Mark read' }).click()
  await page.getByRole('button', { name: 'Show all messages' }).click()
  await expect(cards).toHaveCount(2)

  const field = page.getByLabel('Search the messages you received')
  await field.fill('x')
  await field.press('Enter')
  await expect(page.getByText('Enter at least 2 characters.')).toBeVisible()
  await field.fill('PHARES ecole')
  await field.press('Enter')
  await expect(page.getByText('1 message found. All messages searched.')).toBeVisible()
  await expect(cards).toHaveCount(1)
  await expect(page).not.toHaveURL(/phares|ecole/i)
  await field.fill('giraffe')
  await field.press('Enter')
  await expect(page.getByText('No message contains these words')).toBeVisible()
  await page.getByRole('button', { name: 'Clear the search' }).click()
  await expect(cards).toHaveCount(2)
  expect(await isRead(window)).toBe(false)
})
