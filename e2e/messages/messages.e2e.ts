import { expect, test } from '../support/fixtures.ts'

const MESSAGE_URL = '**/api/messages/*'

test('what strangers write stays plain text, and marks change at once and go back when the server refuses', async ({
  person,
  visit,
  pageGuard,
}) => {
  pageGuard.allow(/^500 PATCH \/api\/messages/, /net::ERR_FAILED/)
  const [owner, sender] = [await person(), await person()]
  const { plate } = await owner.registerVehicle()
  await sender.sendMessage(plate, `<img src=x onerror=alert(1)> https://example.com/ مرحبا ${'Long. '.repeat(200)}`)
  const page = await visit({ as: owner, at: '/dashboard/messages' })
  await expect(page.getByText('<img src=x onerror=alert(1)> https://example.com/ مرحبا')).toBeVisible()
  await expect(page.getByRole('tabpanel').getByRole('link')).toHaveCount(0)
  await page.getByRole('button', { name: 'Show all' }).click()
  await expect(page.getByRole('button', { name: 'Show less' })).toHaveAttribute('aria-expanded', 'true')
  const card = page.getByRole('article', { name: `Message to ${plate}` })
  await expect(card.getByText('Unread', { exact: true })).toBeVisible()
  await card.getByRole('button', { name: 'Mark read' }).click()
  await expect(card.getByText('Unread', { exact: true })).toHaveCount(0)
  await expect.poll(async () => (await owner.receivedMessages())[0]?.is_read).toBe(true)
  await page.reload()
  await expect(card.getByRole('button', { name: 'Mark unread' })).toBeVisible()

  const error = 'Something went wrong on our side. Please try again.'
  await page.route(MESSAGE_URL, (route) => route.fulfill({ status: 500, json: { error, code: 'unexpected' } }))
  await card.getByRole('button', { name: 'Mark unread' }).click()
  await expect(page.getByText(error)).toBeVisible()
  await expect(card.getByText('Unread', { exact: true })).toHaveCount(0)
  await page.unroute(MESSAGE_URL)
  await page.route(MESSAGE_URL, (route) => route.abort())
  await card.getByRole('button', { name: 'Mark unread' }).click()
  await expect(page.getByText('No connection to PlateNote.')).toBeVisible()
  await expect(card.getByText('Unread', { exact: true })).toHaveCount(0)
  expect((await owner.receivedMessages())[0]?.is_read).toBe(true)
})

test('one tap fills in a reply that can be edited, one that fails keeps its text, and there can be only one', async ({
  person,
  visit,
  pageGuard,
}) => {
  pageGuard.allow(/^(500|409) POST \/api\/messages\/.*\/reply/, /net::ERR_FAILED/)
  const [owner, sender] = [await person(), await person()]
  const { plate } = await owner.registerVehicle()
  const id = await sender.sendMessage(plate, 'Your tire is flat.')
  const page = await visit({ as: owner, at: '/dashboard/messages' })
  const card = page.getByRole('article', { name: `Message to ${plate}` })
  const field = card.getByLabel('Reply')
  const send = card.getByRole('button', { name: 'Send reply' })
  const quick = card.getByRole('group', { name: 'Quick replies' })
  await quick.getByRole('button', { name: 'On my way' }).click()
  await expect(field).toHaveValue('I’m on my way.')
  await expect(field).toBeFocused()
  await quick.getByRole('button', { name: 'There in 5 min', exact: true }).click() // replaces the first
  await expect(field).toHaveValue('I’ll be there in 5 minutes.')
  await field.fill('So sorry!')
  await quick.getByRole('button', { name: 'There in 15 min' }).click() // edited text is not replaced
  await expect(field).toHaveValue('So sorry! I’ll be there in 15 minutes.')

  await field.fill('Thanks, I will')
  await page.route('**/reply', (route) =>
    route.fulfill({ status: 500, json: { error: 'Broken.', code: 'unexpected' } }),
  )
  await send.click()
  await expect(page.getByText('Reply failed')).toBeVisible()
  await expect(field).toHaveValue('Thanks, I will')
  await page.route('**/api/live', (route) => route.abort())
  await page.reload()
  await expect(field).toHaveValue('Thanks, I will')
  await page.unroute('**/reply')

  // meanwhile this owner replies on another device, which this one does not notice
  await owner.replyTo(id, 'Already answered')
  await send.click()
  await expect(card).toContainText('Already answered')
  await expect(field).toHaveCount(0)
})

test('a link opens a message on either tab, even an old one, and says when it is gone', async ({
  person,
  visit,
  product,
  pageGuard,
}) => {
  pageGuard.allow(/^404 GET \/api\/messages\//)
  const [owner, sender] = [await person(), await person()]
  const { plate } = await owner.registerVehicle()
  const first = await sender.sendMessage(plate, 'The very first message')
  for (let i = 1; i <= 25; i++) await sender.sendMessage(plate, `Message number ${i}`)

  const page = await visit({ as: owner, at: `/dashboard/messages?view=received#${first}` })
  const openedMessage = page.getByRole('region', { name: 'The message you opened' })
  await expect(openedMessage).toContainText('The very first message')
  await expect(openedMessage.getByRole('article')).toBeFocused()
  await expect.poll(async () => (await owner.receivedMessages()).find(({ id }) => id === first)?.is_read).toBe(true)

  // page by page: every message once, newest first
  const more = page.getByRole('button', { name: 'Load more' })
  const items = page.getByRole('tabpanel').getByRole('listitem')
  while (await more.isVisible()) {
    const before = await items.count()
    await more.click()
    await expect.poll(() => items.count()).toBeGreaterThan(before)
    await expect(page.getByRole('button', { name: 'Loading…' })).toHaveCount(0)
  }
  await expect(items).toHaveCount(25)
  await expect(items.first()).toContainText('Message number 25')
  await expect(items.last()).toContainText('Message number 1')
  await expect(openedMessage).toContainText('The very first message') // still there, and not repeated below

  // for the sender the same link opens the other tab
  const theirs = await visit({ as: sender, at: `/dashboard/messages?view=received#${first}` })
  await expect(theirs).toHaveURL(new RegExp(`view=sent#${first}$`))
  await expect(theirs.getByText('The very first message')).toBeVisible()
  // the sender sees between 10 minutes and an hour later that an email could not be delivered
  await product.db`update messages set email_failed_at = now() where id = ${first}`
  await theirs.reload()
  const card = theirs.locator(`[id="${first}"]`)
  await expect(card).toContainText('Failed to send email')
  await expect(card).toContainText('The owner can still see your message in PlateNote.')

  const stranger = await visit({ as: await person(), at: `/dashboard/messages?view=received#${first}` })
  await expect(stranger.getByText('That message is no longer there.')).toBeVisible()
})
