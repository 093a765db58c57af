import { expect, test } from '../support/fixtures.ts'

test('a link opens an old message on either tab, or says it is gone', async ({ person, visit, product, pageGuard }) => {
  pageGuard.allow(/^404 GET \/api\/messages\//)
  const [owner, sender] = [await person(), await person()]
  const { plate } = await owner.registerVehicle()
  // what strangers write stays plain text
  const FIRST = 'The very first <img src=x onerror=alert(1)> https://example.com/ مرحبا'
  const first = await sender.sendMessage(plate, FIRST)
  const sentIds: string[] = []
  for (let i = 1; i <= 25; i++) sentIds.push(await sender.sendMessage(plate, `Message number ${i}`))

  // beside it, its row is in sight in a list that scrolls by itself
  const beside = await visit({ as: owner, at: `/dashboard/messages?view=received#${sentIds[7]}` })
  await expect(beside.getByRole('article')).toContainText('Message number 8')
  await expect(beside.getByRole('listitem').filter({ hasText: 'Message number 8' })).toBeInViewport()

  const page = await visit({ as: owner, at: `/dashboard/messages?view=received#${first}` })
  const card = page.getByRole('article')
  await expect(card.getByText(FIRST)).toBeVisible()
  await expect(card.getByRole('link', { name: /example/ })).toHaveCount(0)
  await expect(card).toBeFocused()
  await expect.poll(async () => (await owner.receivedMessages()).find(({ id }) => id === first)?.is_read).toBe(true)

  const items = page.getByRole('tabpanel').getByRole('listitem')
  await page.getByRole('button', { name: 'Load more' }).click()
  await expect(items).toHaveCount(26)
  await expect(items.first()).toContainText('Message number 25')
  await expect(items.last()).toContainText('The very first')
  await expect(items.last().getByRole('link')).toHaveAttribute('aria-current', 'true')
  await expect(card).toContainText('The very first') // still open

  // for the sender the same link opens the other tab
  const theirs = await visit({ as: sender, at: `/dashboard/messages?view=received#${first}` })
  await expect(theirs).toHaveURL(new RegExp(`view=sent#${first}$`))
  const sent = theirs.getByRole('article')
  await expect(sent).toContainText('The very first')
  // the sender sees between 10 minutes and an hour later that an email could not be delivered
  await product.db`update messages set email_failed_at = now() where id = ${first}`
  await theirs.reload()
  await expect(sent).toContainText('Failed to send email')
  await expect(sent).toContainText('It’s waiting in the owner’s PlateNote. We couldn’t email them.')

  const stranger = await visit({ as: await person(), at: `/dashboard/messages?view=received#${first}` })
  await expect(stranger.getByText('That message is no longer there.')).toBeVisible()
})

test('on a phone an open message replaces the list, and Back leads there @phone', async ({ person, visit }) => {
  const [owner, sender] = [await person(), await person()]
  const { plate } = await owner.registerVehicle()
  await sender.sendMessage(plate, 'Your window is open')
  await sender.sendMessage(plate, 'Your lights are on')
  const page = await visit({ as: owner, at: '/dashboard/messages' })
  const rows = page.getByRole('tabpanel').getByRole('listitem')
  await expect(rows).toHaveCount(2)
  await expect(page.getByRole('article')).toHaveCount(0)
  expect((await owner.receivedMessages()).map(({ is_read }) => is_read)).toEqual([false, false])

  const row = rows.getByRole('link', { name: /Your window is open/ })
  for (const close of [() => page.goBack(), () => page.getByRole('link', { name: 'All messages' }).click()]) {
    await row.click()
    await expect(page.getByRole('article')).toBeFocused()
    await expect(page.getByRole('article')).toContainText('Your window is open')
    await expect(rows).toHaveCount(0)
    await close()
    await expect(row).toBeFocused()
    await expect(page).toHaveURL(/\/dashboard\/messages$/)
  }
  await expect.poll(async () => (await owner.receivedMessages()).map(({ is_read }) => is_read)).toEqual([false, true])

  // from elsewhere, there is no list to go back to
  const other = await visit({ as: owner, at: '/dashboard' })
  await other
    .getByRole('main')
    .getByRole('link', { name: /Your lights are on/ })
    .click()
  await expect(other.getByRole('article')).toBeFocused()
  await other.getByRole('link', { name: 'All messages' }).click()
  await expect(other).toHaveURL(/\/dashboard\/messages\?view=received$/)
  await expect(other.getByRole('tabpanel').getByRole('listitem')).toHaveCount(2)
})

test('on a large screen the newest is open beside the list, unread, and stays', async ({ person, visit }) => {
  const [owner, sender] = [await person(), await person()]
  const { plate } = await owner.registerVehicle()
  await sender.sendMessage(plate, 'The first')
  const page = await visit({ as: owner, at: '/dashboard/messages' })
  const card = page.getByRole('article')
  const rows = page.getByRole('tabpanel').getByRole('listitem')
  await expect(card.getByText('Unread', { exact: true })).toBeVisible()
  const reply = card.getByLabel('Reply')
  await reply.pressSequentially('I am writ')
  const top = (await reply.boundingBox())?.y
  const second = await sender.sendMessage(plate, 'The second')
  await expect(rows).toHaveCount(2)
  await expect(reply).toBeFocused()
  await expect(reply).toHaveValue('I am writ')
  expect((await reply.boundingBox())?.y).toBe(top)
  expect((await owner.receivedMessages()).map(({ is_read }) => is_read)).toEqual([false, false])

  await rows.first().getByRole('link').click()
  await expect(page).toHaveURL(new RegExp(`\\?view=received#${second}$`))
  await expect(card).toBeFocused()
  await expect(card).toContainText('The second')
  await expect.poll(async () => (await owner.receivedMessages()).map(({ is_read }) => is_read)).toEqual([true, false])
  await rows.last().getByRole('link').click()
  await expect(reply).toHaveValue('I am writ') // the draft
  await page.goBack() // to the list at once, however many were open beside it
  await expect(page).toHaveURL(/\/dashboard\/messages$/)
})
