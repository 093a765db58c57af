import { createECDH, randomBytes } from 'node:crypto'
import type { Page } from '@playwright/test'

/** Returns the keys a browser makes for a subscription. */
export function newKeys() {
  const keys = createECDH('prime256v1')
  keys.generateKeys()
  return { p256dh: keys.getPublicKey('base64url'), auth: randomBytes(16).toString('base64url') }
}

/**
 * Replaces the vendor's push service, without which a browser cannot subscribe, and nothing else: returns a script with what
 * the browser would return after registering there, stored as long as browsers store it.
 */
export function fakePushService(): string {
  const json = { endpoint: `https://localhost:1/push/${randomBytes(8).toString('hex')}`, keys: newKeys() }
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

export const serviceWorkerReady = (page: Page) => page.evaluate('navigator.serviceWorker.ready.then(() => true)')

/** Reads the notifications that the browser shows. */
export const SHOWN = `navigator.serviceWorker.ready.then((worker) => worker.getNotifications()).then((all) =>
  all.map(({ title, body, tag, lang, actions, data }) => ({ title, body, tag, lang, page: data.page,
    actions: actions.map(({ action, title }) => action + ': ' + title) })))`

/**
 * Makes the worker report when it has shown the next notification. A page that reads the notifications earlier makes Chromium
 * lose this one: it takes a notification that is stored but not shown yet for closed.
 */
const WATCH_NEXT = `void (self.nextShown = new Promise((resolve) => {
  registration.showNotification = (...notification) => {
    delete registration.showNotification
    const shown = registration.showNotification(...notification)
    resolve(shown)
    return shown
  }
}))`

/** Delivers a push to the service worker, as the browser does when one arrives from its push service, and waits until it is shown. */
export async function deliverPush(page: Page, payload: object) {
  const [worker] = page.context().serviceWorkers()
  await worker!.evaluate(WATCH_NEXT)
  const session = await page.context().newCDPSession(page)
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
  await session.detach()
  await worker!.evaluate('nextShown')
}
