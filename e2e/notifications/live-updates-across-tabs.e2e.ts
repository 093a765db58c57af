import type { BrowserContext, Page, Request } from '@playwright/test'
import { SESSION_KEY } from '../../web/src/lib/session/stored-session.ts'
import { expect, test } from '../support/fixtures.ts'
import { menu, simulateTabReturn } from '../support/page-objects.ts'

/** Records the requests for the live stream that the tabs of a browser make. */
function recordStreams(context: BrowserContext): Request[] {
  const streams: Request[] = []
  context.on('request', (request) => {
    if (new URL(request.url()).pathname === '/api/live') streams.push(request)
  })
  return streams
}

const expectUnread = (page: Page, count: number) =>
  expect(menu(page).link('Notifications')).toContainText(`${count} unread notification`)

test('all tabs share one stream and what is read, and when the tab that holds it closes another one takes over', async ({
  person,
  visit,
}) => {
  const [owner, sender] = [await person(), await person()]
  const { plate } = await owner.registerVehicle()
  const first = await visit({ as: owner })
  const streams = recordStreams(first.context())
  await first.goto('/dashboard')
  await expect.poll(() => streams.length).toBe(1)
  // more tabs than a person may open streams
  const others = await Promise.all(Array.from({ length: 6 }, () => first.context().newPage()))
  await Promise.all(others.map((tab) => tab.goto('/dashboard')))
  await sender.sendMessage(plate, 'To all of them')
  for (const tab of [first, ...others]) {
    await expect(tab.getByRole('listitem').filter({ hasText: 'To all of them' })).toBeVisible()
    await expectUnread(tab, 1)
  }
  expect(streams.length).toBe(1)
  await others[0]!.goto('/dashboard/notifications')
  await others[0]!.getByRole('button', { name: 'Mark all read' }).click()
  await expect(menu(first).link('Notifications')).not.toContainText('unread')
  await others[0]!.goto('/dashboard')

  await first.close()
  await expect.poll(() => streams.length).toBe(2)
  expect(streams[1]?.headers()['last-event-id']).toBe('1')
  await sender.sendMessage(plate, 'After the first has gone')
  for (const tab of others)
    await expect(tab.getByRole('listitem').filter({ hasText: 'After the first has gone' })).toBeVisible()
  expect(streams.length).toBe(2)
})

test('a tab that is suspended while it holds the stream loses it to the visible one', async ({ person, visit }) => {
  const [owner, sender] = [await person(), await person()]
  const { plate } = await owner.registerVehicle()
  const page = await visit({ as: owner, at: '/' })
  // like a tab that the browser has suspended: it holds the lock, and responds to nobody
  const holdLeaderLock = (options: string) =>
    page.evaluate(`void navigator.locks.request('platenote-live-${owner.id}', ${options}, () => new Promise(() => {}))
      .catch(() => {})`)
  await holdLeaderLock('{}')
  const streams = recordStreams(page.context())
  const tab = await page.context().newPage()
  await tab.goto('/dashboard')
  await expect.poll(() => streams.length).toBe(1)
  await sender.sendMessage(plate, 'Are you there?')
  await expect(tab.getByRole('listitem').filter({ hasText: 'Are you there?' })).toBeVisible()

  // the other way round: this tab has lost the lock and stops, until it finds that nobody responds
  await holdLeaderLock('{ steal: true }')
  await expect.poll(() => streams.length).toBe(2)
  expect(streams[1]?.headers()['last-event-id']).toBe('1')
  await sender.sendMessage(plate, 'And now?')
  await expect(tab.getByRole('listitem').filter({ hasText: 'And now?' })).toBeVisible()
})

test('a frozen tab hands over the stream, and is up to date when it is resumed', async ({ person, visit }) => {
  const [owner, sender] = [await person(), await person()]
  const { plate } = await owner.registerVehicle()
  const first = await visit({ as: owner })
  const streams = recordStreams(first.context())
  await first.goto('/dashboard')
  await expect.poll(() => streams.length).toBe(1)
  const other = await first.context().newPage()
  await other.goto('/dashboard')
  await expect(other.getByRole('heading', { name: 'Hello, Alex' })).toBeVisible()
  await first.evaluate("document.dispatchEvent(new Event('freeze'))") // a visible page cannot really be frozen
  await expect.poll(() => streams.length).toBe(2)
  await sender.sendMessage(plate, 'While one of you slept')
  await expect(other.getByRole('listitem').filter({ hasText: 'While one of you slept' })).toBeVisible()
  await first.evaluate("document.dispatchEvent(new Event('resume'))")
  await expect(first.getByRole('listitem').filter({ hasText: 'While one of you slept' })).toBeVisible()
  await sender.sendMessage(plate, 'Both awake')
  for (const tab of [first, other])
    await expect(tab.getByRole('listitem').filter({ hasText: 'Both awake' })).toBeVisible()
  expect(streams.length).toBe(2)
})

test('where tabs cannot share a stream, each has its own', async ({ person, visit }) => {
  const [owner, sender] = [await person(), await person()]
  const { plate } = await owner.registerVehicle()
  const first = await visit({ as: owner })
  await first.context().addInitScript("Object.defineProperty(navigator, 'locks', { value: undefined })")
  const streams = recordStreams(first.context())
  const tabs = [first, await first.context().newPage()]
  for (const tab of tabs) await tab.goto('/dashboard')
  await expect.poll(() => streams.length).toBe(2)
  await sender.sendMessage(plate, 'Twice')
  for (const tab of tabs) await expect(tab.getByRole('listitem').filter({ hasText: 'Twice' })).toBeVisible()
})

test('a tab that slept while somebody else signed in or out shows nothing of the former user when it wakes', async ({
  person,
  product,
  visit,
  pageGuard,
}) => {
  pageGuard.allow(/^401 GET \/api\//) // what it was just loading
  const [former, now] = [await person({ fullName: 'Former Person' }), await person({ fullName: 'Present Person' })]
  const page = await visit({ as: former, at: '/dashboard' })
  await expect(page.getByRole('heading', { name: 'Hello, Former' })).toBeVisible()
  const [stored] = (await now.storageState({ origin: product.url })).origins[0]?.localStorage ?? []
  await page.evaluate(([key, value]) => localStorage.setItem(key ?? '', value ?? ''), [SESSION_KEY, stored?.value])
  await simulateTabReturn(page)
  await expect(page.getByRole('heading', { name: 'Hello, Present' })).toBeVisible()
  await page.evaluate((key) => localStorage.removeItem(key), SESSION_KEY)
  await simulateTabReturn(page)
  await expect(page).toHaveURL(/\/login\?next=%2Fdashboard$/)
})
