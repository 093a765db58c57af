import type { BrowserContextOptions, Page } from '@playwright/test'
import { createMasterKeys } from '../../server/src/encryption/envelope-encryption.ts'
import { openKeyring } from '../../server/src/encryption/verify-keys.ts'
import { createAnswerToken } from '../../server/src/push/device-tokens.ts'
import { declarativePush, textNotification } from '../../server/src/push/payloads.ts'
import { expect, inFullBrowser, test } from '../support/fixtures.ts'
import type { Person } from '../support/people.ts'
import type { Product } from '../support/product.ts'
import { deliverPush, fakePushService, newKeys, SHOWN, serviceWorkerReady } from '../support/push.ts'

test.use(inFullBrowser)
test.describe.configure({ mode: 'parallel' })

const SETTINGS = '/dashboard/profile/notifications'
const contextOptions: BrowserContextOptions = { serviceWorkers: 'allow', permissions: ['notifications'] }

const pushSection = (page: Page) => page.getByRole('region', { name: 'Notifications on this device' })

test('notifications are switched on, tested, renewed and ended', async ({ person, visit, pageGuard, product }) => {
  pageGuard.allow(/^502 POST \/api\/push\/test/)
  const owner = await person()
  const page = await visit({ as: owner, options: contextOptions })
  await page.addInitScript({ content: fakePushService() })
  await page.goto(SETTINGS)
  const devices = () => product.db`select endpoint from push_subscriptions where user_id = ${owner.id}`

  await pushSection(page).getByRole('button', { name: 'Turn on' }).click()
  await expect(page.getByText('Notifications are on.')).toBeVisible()
  await expect(pushSection(page).getByText('On', { exact: true })).toBeVisible()
  expect(await devices()).toHaveLength(1)

  const text = pushSection(page).getByRole('checkbox', { name: /^Show the message’s text/ })
  await expect(text).not.toBeChecked()
  const saved = page.waitForResponse((response) => response.request().method() === 'PATCH')
  await text.click() // `check` would look for the tick before the page has drawn it
  await expect(text).toBeChecked()
  await saved
  await page.reload()
  await expect(text).toBeChecked()
  await pushSection(page).getByRole('button', { name: 'Send a test' }).click()
  await expect(page.getByText('This device’s notification service didn’t accept the test.')).toBeVisible()

  await pushSection(page).getByRole('button', { name: 'Turn off' }).click()
  await expect(page.getByText('Notifications are off.')).toBeVisible()
  await expect(pushSection(page).getByRole('button', { name: 'Turn on' })).toBeVisible()
  expect(await devices()).toHaveLength(0)

  await pushSection(page).getByRole('button', { name: 'Turn on' }).click()
  await expect.poll(async () => (await devices()).length).toBe(1)
  // as if its push service had forgotten it, or the session had changed
  await product.db`delete from push_subscriptions where user_id = ${owner.id}`
  await page.goto('/dashboard')
  await expect.poll(async () => (await devices()).length).toBe(1)
  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
  await expect(page).toHaveURL(/\/$/)
  await expect.poll(async () => (await devices()).length).toBe(0)
  expect(
    await page.evaluate(`['platenote-push', 'test-push-service'].map((key) => localStorage.getItem(key))`),
  ).toEqual([null, null])
})

test('a browser’s new address reaches the server without a page', async ({ person, visit, product, pageGuard }) => {
  pageGuard.allow(/^404 POST \/api\/push\/renewals/)
  const owner = await person()
  const page = await visit({ as: owner, options: contextOptions })
  await page.addInitScript({ content: fakePushService() })
  await page.goto(SETTINGS)
  const addresses = async () =>
    (await product.db<{ endpoint: string }[]>`select endpoint from push_subscriptions where user_id = ${owner.id}`).map(
      ({ endpoint }) => endpoint,
    )
  await pushSection(page).getByRole('button', { name: 'Turn on' }).click()
  await expect(pushSection(page).getByText('On', { exact: true })).toBeVisible()
  const [former] = await addresses()
  const [worker] = page.context().serviceWorkers()
  await page.goto('about:blank')

  /** Notifies the service worker of a new endpoint, as the browser does, and waits until it has reacted. */
  const change = (name: string) =>
    worker!.evaluate(`(async () => {
      PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
        if (typeof applicationServerKey !== 'string') throw new Error('not the key of the server')
        return { toJSON: () => ({ endpoint: ${JSON.stringify(former)} + '${name}', keys: ${JSON.stringify(newKeys())} }) }
      }
      const event = new ExtendableEvent('pushsubscriptionchange')
      const done = new Promise((resolve) => Object.defineProperty(event, 'waitUntil', { value: resolve }))
      dispatchEvent(event)
      await (await done)
    })()`)
  await change('-next')
  expect(await addresses()).toEqual([`${former}-next`])

  await product.db`delete from auth.sessions where user_id = ${owner.id}`
  await change('-last')
  expect(await addresses()).toEqual([])
})

/** Returns the push of a message, as the server writes it. */
const pushAbout = (origin: string, id: string, plate: string, token = 'none') =>
  declarativePush(
    { PUBLIC_URL: origin },
    {
      ...textNotification('en', 'message', { plate, lead: null, text: 'Your lights are on', path: messagePath(id) }),
      tag: 't',
      locale: 'en',
      unread: 2,
      answerable: { messageId: id, token },
    },
  )
const messagePath = (id: string) => `/dashboard/messages?view=received#${id}`

/** Returns the token in the push of a message to somebody's one device, as the server writes it. */
async function createToken({ db, env }: Product, owner: Person, messageId: string): Promise<string> {
  const keyring = await openKeyring(db, createMasterKeys(env.MASTER_KEY, []))
  const [device] = await db<{ session_id: string }[]>`
    select session_id from push_subscriptions where user_id = ${owner.id}`
  return createAnswerToken(keyring, { sessionId: device!.session_id, messageId }, Date.now())
}

/** Records what the worker, or the page, writes on the app's icon, which no test can see. */
const NOTE_BADGES = `self.badges = []; self.navigator.setAppBadge = async (count) => void self.badges.push(count)`

/** Taps a notification, or a button below it, as the browser reports it to the worker. */
const TAP = `(async (action) => {
  const [notification] = await registration.getNotifications()
  const event = new NotificationEvent('notificationclick', { notification, action })
  // a simulated tap may not focus a tab
  const done = new Promise((resolve) =>
    Object.defineProperty(event, 'waitUntil', { value: (work) => resolve(work.catch(() => {})) }))
  dispatchEvent(event)
  await done
})`

test('the worker shows a declarative push as it came, and opens its page', async ({ person, visit }) => {
  const owner = await person()
  const { plate } = await owner.registerVehicle()
  const page = await visit({ as: owner, at: '/dashboard', options: contextOptions })
  await serviceWorkerReady(page)
  const [worker] = page.context().serviceWorkers()
  await worker!.evaluate(NOTE_BADGES)
  const { origin } = new URL(page.url())
  const push = pushAbout(origin, '0'.repeat(8), plate)
  await deliverPush(page, push)
  await expect
    .poll(() => page.evaluate(SHOWN))
    .toEqual([
      {
        ...{ title: `New message for ${plate}`, body: 'Your lights are on', tag: 't', lang: 'en' },
        page: push.notification.navigate,
        actions: ['coming: I’m coming now', 'open: Open'],
      },
    ])
  expect(await worker!.evaluate('badges')).toEqual([2])

  await page.evaluate('window.stillHere = true')
  const elsewhere = { ...push.notification, navigate: `https://example.com//dashboard/messages?view=received` }
  await deliverPush(page, { ...push, notification: elsewhere })
  await expect.poll(() => page.evaluate(`${SHOWN}.then(([one]) => one.page)`)).toBe(elsewhere.navigate)
  await worker!.evaluate(`${TAP}('')`) // whatever its address, only a page of this site is opened
  await expect(page).toHaveURL(`${origin}/dashboard/messages?view=received`)
  expect(await page.evaluate('window.stillHere')).toBe(true) // without reloading the page

  await deliverPush(page, push)
  await expect.poll(async () => (await page.evaluate<object[]>(SHOWN)).length).toBe(1)
  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
  await expect(page).toHaveURL(/\/$/)
  await expect.poll(() => page.evaluate(SHOWN)).toEqual([])
})

test('‘I’m coming now’ answers once, or offers the answer', async ({ person, visit, product, pageGuard, audit }) => {
  pageGuard.allow(/^40[49] POST \/api\/push\/answers/)
  const [owner, sender] = [await person(), await person()]
  const { plate } = await owner.registerVehicle()
  const first = await sender.sendMessage(plate, 'You are blocking me')
  const second = await sender.sendMessage(plate, 'You still are')
  const page = await visit({ as: owner, options: contextOptions })
  await page.addInitScript({ content: fakePushService() })
  await page.addInitScript(NOTE_BADGES)
  await page.goto(SETTINGS)
  await pushSection(page).getByRole('button', { name: 'Turn on' }).click()
  await expect(pushSection(page).getByText('On', { exact: true })).toBeVisible()
  await expect.poll(() => page.evaluate('badges.at(-1)')).toBe(2)
  const [worker] = page.context().serviceWorkers()
  await worker!.evaluate(NOTE_BADGES)
  await worker!.evaluate(`PushManager.prototype.getSubscription = async () => ({})`)
  const { origin } = new URL(page.url())
  const answer = async (id: string, token: string) => {
    await deliverPush(page, pushAbout(origin, id, plate, token))
    await expect.poll(() => page.evaluate(`${SHOWN}.then((all) => all.at(-1)?.actions.length)`)).toBe(2)
    await worker!.evaluate(`${TAP}('coming')`)
  }
  const token = await createToken(product, owner, first)
  await answer(first, token)
  await expect
    .poll(() => page.evaluate(`${SHOWN}.then((all) => all.map(({ title }) => title))`))
    .toEqual(['Reply sent'])
  expect((await owner.receivedMessages()).find(({ id }) => id === first)?.answer).toBe('coming')
  expect(await worker!.evaluate('badges.at(-1)')).toBe(1)
  await expect.poll(() => page.evaluate('badges.at(-1)')).toBe(1) // by the live stream

  // the token is invalid: the page offers the answer, and sends none by itself
  await answer(
    second,
    token.replace(/^./, (letter) => (letter === 'A' ? 'B' : 'A')),
  )
  await expect(page).toHaveURL(new RegExp(`answer=coming#${second}$`))
  const card = page.locator(`[id="${second}"]`)
  await expect(card.getByText('Tell the sender that you are coming now?')).toBeVisible()
  await expect(page.getByText('Tell the sender that you are coming now?')).toHaveCount(1)
  await expect.poll(() => page.evaluate('badges.at(-1)')).toBe(0) // opened, so it counts as read
  expect((await owner.receivedMessages()).find(({ id }) => id === second)?.answer).toBe(null)
  await audit(page, 'an answer that is offered')
  await card.getByRole('button', { name: 'I’m coming now' }).click()
  await expect(card).toContainText('Your reply')
  expect((await owner.receivedMessages()).find(({ id }) => id === second)?.answer).toBe('coming')

  // somebody else signs in here: what was shown for the first is closed, and answers nothing
  await deliverPush(page, pushAbout(origin, first, plate, token))
  await expect.poll(() => page.evaluate(`${SHOWN}.then((all) => all.at(-1)?.actions.length)`)).toBe(2)
  const stranger = await person()
  const { cookies, origins } = await stranger.storageState({ origin })
  await page.context().addCookies(cookies)
  const next = await page.context().newPage()
  await next.goto('/about-us') // has no scripts that would lead on
  await next.evaluate((items) => {
    for (const { name, value } of items) localStorage.setItem(name, value)
  }, origins[0]!.localStorage)
  await next.goto('/dashboard')
  await expect.poll(() => next.evaluate(SHOWN)).toEqual([])
  await expect.poll(() => next.evaluate(`localStorage.getItem('platenote-push')`)).toBe(null)
})

test('a guest is notified of the answer without an account', async ({ person, visit, product }) => {
  const owner = await person()
  const { plate, id } = await owner.registerVehicle()
  const { token } = await owner.makeTag(id)
  const page = await visit({ options: contextOptions })
  await page.addInitScript({ content: fakePushService() })
  await page.goto(`/t/${token}`)
  await page.getByLabel('The last three characters of the plate').fill(plate.slice(-3))
  await page.getByLabel('The alarm of your vehicle is sounding.').check()
  await page.getByRole('button', { name: 'Tell the owner' }).click()
  await page.getByRole('button', { name: 'Turn on notifications' }).click()
  await expect(page.getByText('Notifications are on: one comes when the owner replies.')).toBeVisible()
  expect(await product.db`select from receipt_pushes`).toHaveLength(1)
  // what the server sends is shown in server/src/tags/tags.test.ts, what the worker does with it above
})

test('whoever waits for an answer is told on this phone after one tap', async ({ person, visit, product }) => {
  const [owner, sender] = [await person(), await person()]
  const id = await sender.sendMessage((await owner.registerVehicle()).plate, 'Your lights are on')
  const page = await visit({ as: sender, options: contextOptions })
  await page.addInitScript({ content: fakePushService() })
  await page.goto(`/dashboard/messages?view=sent#${id}`)
  await page.getByRole('button', { name: 'Turn on notifications' }).click()
  await expect(page.getByRole('tabpanel').getByText('Notifications are on.')).toBeFocused()
  expect(await product.db`select from push_subscriptions where user_id = ${sender.id}`).toHaveLength(1)
})
