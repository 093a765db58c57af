import { createECDH, randomBytes } from 'node:crypto'
import type { BrowserContextOptions, CDPSession, Page } from '@playwright/test'
import { expect, inFullBrowser, test } from '../support/fixtures.ts'
import { IPHONE_USER_AGENT } from '../support/test-data.ts'

test.use(inFullBrowser)
test.describe.configure({ mode: 'parallel' })

const PROFILE = '/dashboard/profile'
const contextOptions: BrowserContextOptions = { serviceWorkers: 'allow', permissions: ['notifications'] }

/**
 * Replaces the vendor's push service, without which a browser cannot subscribe, and nothing else: returns a script with what
 * the browser would return after registering there, stored as long as browsers store it.
 */
function fakePushService(): string {
  const keys = createECDH('prime256v1')
  keys.generateKeys()
  const json = {
    endpoint: `https://localhost:1/push/${randomBytes(8).toString('hex')}`,
    keys: { p256dh: keys.getPublicKey('base64url'), auth: randomBytes(16).toString('base64url') },
  }
  return `{
    const STORAGE_KEY = 'test-push-service'
    const json = ${JSON.stringify(json)}
    const subscription = (key) => ({
      endpoint: json.endpoint,
      options: { applicationServerKey: Uint8Array.from(key.split(',')).buffer },
      toJSON: () => json,
      unsubscribe: async () => (localStorage.removeItem(STORAGE_KEY), true),
    })
    PushManager.prototype.getSubscription = async () => {
      const key = localStorage.getItem(STORAGE_KEY)
      return key && subscription(key)
    }
    PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
      localStorage.setItem(STORAGE_KEY, applicationServerKey.join())
      return subscription(applicationServerKey.join())
    }
  }`
}

const pushSection = (page: Page) => page.getByRole('region', { name: 'Notifications on this device' })

const serviceWorkerReady = (page: Page) => page.evaluate('navigator.serviceWorker.ready.then(() => true)')

/** Delivers a push to the service worker, as the browser does when one arrives from its push service. */
async function deliverPush(page: Page, session: CDPSession, payload: object) {
  const known = new Promise<string>((resolve) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [one] = registrations
      if (one) resolve(one.registrationId)
    })
  })
  await session.send('ServiceWorker.enable')
  const origin = new URL(page.url()).origin
  await session.send('ServiceWorker.deliverPushMessage', {
    origin,
    registrationId: await known,
    data: JSON.stringify(payload),
  })
}

test('notifications are switched on, tested, set to show the text and switched off in the profile', async ({
  person,
  visit,
  pageGuard,
  product,
}) => {
  pageGuard.allow(/^502 POST \/api\/push\/test/)
  const owner = await person()
  const page = await visit({ as: owner, options: contextOptions })
  await page.addInitScript({ content: fakePushService() })
  await page.goto(PROFILE)
  const devices = () => product.db`select endpoint from push_subscriptions where user_id = ${owner.id}`

  await pushSection(page).getByRole('button', { name: 'Switch on' }).click()
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
  await expect(page.getByText('The notification service of this device did not take the test.')).toBeVisible()

  await pushSection(page).getByRole('button', { name: 'Switch off' }).click()
  await expect(page.getByText('Notifications are off.')).toBeVisible()
  await expect(pushSection(page).getByRole('button', { name: 'Switch on' })).toBeVisible()
  expect(await devices()).toHaveLength(0)
})

test('a subscription is renewed for its owner, and ends when they sign out', async ({ person, visit, product }) => {
  const owner = await person()
  const page = await visit({ as: owner, options: contextOptions })
  await page.addInitScript({ content: fakePushService() })
  await page.goto(PROFILE)
  const count = async () => (await product.db`select from push_subscriptions where user_id = ${owner.id}`).length
  await pushSection(page).getByRole('button', { name: 'Switch on' }).click()
  await expect.poll(count).toBe(1)

  // as if its push service had forgotten it, or the session had changed
  await product.db`delete from push_subscriptions where user_id = ${owner.id}`
  await page.goto('/dashboard')
  await expect.poll(count).toBe(1)

  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
  await expect(page).toHaveURL(/\/$/)
  await expect.poll(count).toBe(0)
  expect(
    await page.evaluate(`['platenote-push', 'test-push-service'].map((key) => localStorage.getItem(key))`),
  ).toEqual([null, null])
})

test('a browser that blocks notifications, or cannot show any, says what to do', async ({ person, visit }) => {
  const owner = await person()
  const blocked = await visit({ as: owner, options: { ...contextOptions, permissions: [] } })
  await blocked.addInitScript(`Object.defineProperty(Notification, 'permission', { get: () => 'denied' })`)
  await blocked.goto(PROFILE)
  await expect(pushSection(blocked).getByText('Notifications from PlateNote are blocked')).toBeVisible()
  const old = await visit({ as: owner, options: contextOptions })
  await old.addInitScript('delete window.PushManager')
  await old.goto(PROFILE)
  await expect(pushSection(old).getByText('This browser cannot show notifications.')).toBeVisible()
  const iPhone = await visit({ as: owner, options: { ...contextOptions, userAgent: IPHONE_USER_AGENT } })
  await iPhone.addInitScript('delete window.PushManager')
  await iPhone.goto(`/fr${PROFILE}`)
  await expect(iPhone.getByText('ajoutez d’abord PlateNote à votre écran d’accueil')).toBeVisible()
})

test('a push is shown as it came, and opens its page in the open tab', async ({ person, visit }) => {
  const owner = await person()
  const { plate } = await owner.registerVehicle()
  const page = await visit({ as: owner, at: '/dashboard', options: contextOptions })
  await serviceWorkerReady(page)
  const session = await page.context().newCDPSession(page)
  const url = '/dashboard/messages?view=received'
  await deliverPush(page, session, {
    title: `New message for ${plate}`,
    body: 'The lights are on',
    url,
    tag: 't',
    lang: 'en',
  })
  const shown = `navigator.serviceWorker.ready.then((worker) => worker.getNotifications()).then((all) =>
    all.map(({ title, body, tag, data }) => [title, body, tag, data.url]))`
  await expect.poll(() => page.evaluate(shown)).toEqual([[`New message for ${plate}`, 'The lights are on', 't', url]])

  await page.evaluate('window.stillHere = true')
  const [worker] = page.context().serviceWorkers()
  // as its click handler does; a real click needs a desktop
  await worker!.evaluate(`clients.matchAll().then(([tab]) => tab.postMessage({ open: '${url}' }))`)
  await expect(page).toHaveURL(/\/dashboard\/messages\?view=received$/)
  expect(await page.evaluate('window.stillHere')).toBe(true) // without reloading the page

  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
  await expect(page).toHaveURL(/\/$/)
  await expect.poll(() => page.evaluate(shown)).toEqual([])
})

test('the app can be installed, and its offline page is in the language of the page', async ({
  person,
  visit,
  pageGuard,
}) => {
  pageGuard.allow(/net::ERR_INTERNET_DISCONNECTED|ERR_FAILED/)
  const page = await visit({ as: await person(), at: '/dashboard', options: contextOptions })
  await serviceWorkerReady(page)
  const session = await page.context().newCDPSession(page)
  const { installabilityErrors } = await session.send('Page.getInstallabilityErrors')
  // these tests run in a private window, which installs nothing
  expect(installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== 'in-incognito')).toEqual([])
  const { errors } = await session.send('Page.getAppManifest')
  expect(errors).toEqual([])

  await page.context().setOffline(true)
  for (const [path, title] of [
    ['/dashboard/vehicles', 'You are offline'],
    ['/fr/dashboard/vehicles', 'Vous êtes hors ligne'],
  ] as const) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(title)
  }
  await page.context().setOffline(false)
  await page.getByRole('link', { name: 'Réessayer' }).click()
  await expect(page).toHaveURL(/\/fr\/dashboard\/vehicles$/)
  await expect(page.getByRole('heading', { level: 1 })).not.toHaveText('Vous êtes hors ligne')

  // nothing personal is cached, only files of the build and the two pages
  const cachedPaths = `caches.keys().then((names) => Promise.all(names.map((name) => caches.open(name).then((c) => c.keys()))))
    .then((all) => all.flat().map(({ url }) => new URL(url).pathname))`
  const paths = (await page.evaluate(cachedPaths)) as string[]
  expect(paths.filter((path) => !/^\/assets\/|^(\/fr)?\/offline$/.test(path))).toEqual([])
  expect(paths).toContain('/offline')
})
