import { expect, test } from '../support/fixtures.ts'
import { logIn } from '../support/page-objects.ts'

const LIST_URL = '**/api/messages*'
const MESSAGE_URL = '**/api/messages/*'

test('while there is nothing yet, each tab says what will be there', async ({ person, visit }) => {
  const page = await visit({ as: await person() })
  const gate = Promise.withResolvers<void>()
  await page.route(LIST_URL, async (route) => {
    await gate.promise
    await route.continue()
  })
  await page.goto('/dashboard/messages')
  await expect(page.getByRole('main').getByText('Loading…')).toBeAttached()
  gate.resolve()
  await expect(page.getByText('No messages yet')).toBeVisible()

  await page.getByRole('tab', { name: 'Sent' }).click()
  await expect(page).toHaveURL(/\?view=sent$/)
  await expect(page.getByText('You haven’t sent any messages')).toBeVisible()
  await page.getByRole('tab', { name: 'Sent' }).press('ArrowLeft')
  await expect(page).toHaveURL(/\?view=received$/)
  await expect(page.getByRole('tab', { name: 'Received' })).toBeFocused()
  await page.reload()
  await expect(page.getByRole('tab', { name: 'Received', selected: true })).toBeVisible()
})

test('a list that fails to load says so and can be retried', async ({ person, visit, pageGuard }) => {
  pageGuard.allow(/^400 GET \/api\/messages/)
  const page = await visit({ as: await person() })
  const json = { error: 'Please check what you entered.', code: 'invalid_input' }
  await page.route('**/api/live', () => {}) // once connected the page reloads its data, and the error would disappear by itself
  await page.route(LIST_URL, (route) => route.fulfill({ status: 400, json }))
  await page.goto('/dashboard/messages?view=sent')
  const alert = page.getByRole('alert').filter({ hasText: json.error })
  await expect(alert).toBeVisible()
  await page.unroute(LIST_URL)
  await alert.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('You haven’t sent any messages')).toBeVisible()
})

test('read and unread change at once, persist, and go back when the server refuses @always', async ({
  person,
  visit,
  pageGuard,
}) => {
  pageGuard.allow(/^500 PATCH \/api\/messages/, /net::ERR_FAILED/)
  const [owner, sender] = [await person(), await person()]
  const { plate } = await owner.registerVehicle()
  await sender.sendMessage(plate, 'Your sunroof is open.')
  const page = await visit({ as: owner, at: '/dashboard/messages' })
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

test('a reply that fails keeps its text, and there can be only one reply', async ({ person, visit, pageGuard }) => {
  pageGuard.allow(/^(500|409) POST \/api\/messages\/.*\/reply/, /net::ERR_FAILED/)
  const [owner, sender] = [await person(), await person()]
  const { plate } = await owner.registerVehicle()
  const id = await sender.sendMessage(plate, 'Your tire is flat.')
  const page = await visit({ as: owner, at: '/dashboard/messages' })
  const card = page.getByRole('article', { name: `Message to ${plate}` })
  const field = card.getByLabel('Reply')
  const send = card.getByRole('button', { name: 'Send reply' })
  await send.click()
  await expect(field).toHaveAccessibleDescription(/Please write a reply\./)

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

test('one tap fills in a reply that can be edited or sent', async ({ person, visit }) => {
  const [owner, sender] = [await person(), await person()]
  const { plate } = await owner.registerVehicle()
  await sender.sendMessage(plate, 'You are blocking me.')
  const page = await visit({ as: owner, at: '/dashboard/messages' })
  const card = page.getByRole('article', { name: `Message to ${plate}` })
  const field = card.getByLabel('Reply')
  const quick = card.getByRole('group', { name: 'Quick replies' })
  await quick.getByRole('button', { name: 'On my way' }).click()
  await expect(field).toHaveValue('I’m on my way.')
  await expect(field).toBeFocused()
  await quick.getByRole('button', { name: 'There in 5 min', exact: true }).click() // replaces the first
  await expect(field).toHaveValue('I’ll be there in 5 minutes.')
  await field.fill('So sorry!')
  await quick.getByRole('button', { name: 'There in 15 min' }).click() // edited text is not replaced
  await expect(field).toHaveValue('So sorry! I’ll be there in 15 minutes.')
  await page.reload()
  await expect(field).toHaveValue('So sorry! I’ll be there in 15 minutes.')
  await card.getByRole('button', { name: 'Send reply' }).click()
  await expect(page.getByText('Reply sent!')).toBeVisible()
  await expect(card).toContainText('So sorry! I’ll be there in 15 minutes.')
})

test('a draft reply survives the end of the session and the next sign-in', async ({ person, visit, pageGuard }) => {
  pageGuard.allow(/^40[013] (GET|POST|PATCH) \/(api|auth)\//)
  const [owner, sender] = [await person(), await person()]
  const { plate } = await owner.registerVehicle()
  await sender.sendMessage(plate, 'Your trunk is open.')
  const page = await visit({ as: owner, at: '/dashboard/messages' })
  await page.getByLabel('Reply').fill('Half a sent')
  await owner.signOutEverywhere()
  await expect(page).toHaveURL(/\/login\?next=/)
  await logIn(page, owner.email)
  await expect(page.getByLabel('Reply')).toHaveValue('Half a sent')
})

test('a link opens a message on either tab, even an old one, and says when it is gone', async ({
  person,
  visit,
  pageGuard,
}) => {
  pageGuard.allow(/^404 GET \/api\/messages\//)
  const [owner, sender] = [await person(), await person()]
  const { plate } = await owner.registerVehicle()
  const first = await sender.sendMessage(plate, 'The very first message')
  for (let i = 1; i <= 45; i++) await sender.sendMessage(plate, `Message number ${i}`)

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
  await expect(items).toHaveCount(45)
  await expect(items.first()).toContainText('Message number 45')
  await expect(items.last()).toContainText('Message number 1')
  await expect(openedMessage).toContainText('The very first message') // still there, and not repeated below

  // for the sender the same link opens the other tab
  const theirs = await visit({ as: sender, at: `/dashboard/messages?view=received#${first}` })
  await expect(theirs).toHaveURL(new RegExp(`view=sent#${first}$`))
  await expect(theirs.getByText('The very first message')).toBeVisible()

  const stranger = await visit({ as: await person(), at: `/dashboard/messages?view=received#${first}` })
  await expect(stranger.getByText('That message is no longer there.')).toBeVisible()
})

test('what strangers write stays plain text, and long texts unfold @always', async ({ person, visit }) => {
  const [owner, sender] = [await person(), await person()]
  const { plate } = await owner.registerVehicle()
  await sender.sendMessage(plate, '<img src=x onerror=alert(1)> https://example.com/ مرحبا')
  await sender.sendMessage(plate, `${'Long. '.repeat(200)}The end.`)
  const page = await visit({ as: owner, at: '/dashboard/messages' })
  await expect(page.getByText('<img src=x onerror=alert(1)> https://example.com/ مرحبا')).toBeVisible()
  await expect(page.getByRole('tabpanel').getByRole('link')).toHaveCount(0)
  await page.getByRole('button', { name: 'Show all' }).click()
  await expect(page.getByRole('button', { name: 'Show less' })).toHaveAttribute('aria-expanded', 'true')
})

test('the sender sees that an email could not be delivered, and that the message is there', async ({
  person,
  product,
  visit,
}) => {
  const [owner, sender] = [await person(), await person()]
  const { plate } = await owner.registerVehicle()
  product.rejectMailTo(owner.email)
  await sender.sendMessage(plate, 'Your alarm is on.')
  // the sender sees it between 10 minutes and an hour later
  await expect(async () => {
    const { count } = await product.db`
      update messages set email_failed_at = now() where plate = ${plate} and email_failed_at > now()`
    expect(count).toBe(1)
  }).toPass()
  const page = await visit({ as: sender, at: '/dashboard/messages?view=sent' })
  const card = page.getByRole('article', { name: `Message to ${plate}` })
  await expect(card).toContainText('Failed to send email')
  await expect(card).toContainText('The owner can still see your message in PlateNote.')
})
