import type { BrowserPushSubscription } from '#contract/push.ts'
import { isPushSupported, serviceWorkers } from '~/lib/page/service-workers'
import { browserStore, storesNothing } from '~/lib/page/storage'
import { withTimeout } from '~/lib/time/timeout'

/** Storage key for the id of the user who enabled notifications in this browser. */
const OWNER_KEY = 'platenote-push'
const WORKER_READY_TIMEOUT_MS = 10_000

/** The state of notifications in this browser. `needs_install`: available once the app is on the home screen. */
export type PushStatus = 'unsupported' | 'needs_install' | 'denied' | 'off' | 'on'

/**
 * Detects iPhones and iPads, which may claim to be a Macintosh and allow push in installed apps only; the browsers inside other
 * apps, which do not say Safari, cannot install one.
 */
const canBeInstalled = ({ userAgent, maxTouchPoints } = navigator) =>
  (/iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1)) &&
  userAgent.includes('Safari/')

/** Returns the id of the user who enabled notifications in this browser; null when nobody has. */
export const getPushOwner = (): string | null => browserStore.getItem(OWNER_KEY)

/** Ends the notifications that another user left enabled here: none may be shown any more, nor send an answer. */
export async function endFormerSubscription(userId: string): Promise<void> {
  const owner = getPushOwner()
  if (owner !== null && owner !== userId) await unsubscribeFromPush()
}

/** Records who enabled notifications in this browser. */
export const setPushOwner = (userId: string): void => browserStore.setItem(OWNER_KEY, userId)

const getRegistration = async () => (await serviceWorkers()?.getRegistration('/')) ?? null

/** Registers the service worker, for the offline page and notifications. Only a build has the files it caches. */
export async function registerServiceWorker(): Promise<void> {
  if (import.meta.env.PROD) await serviceWorkers()?.register('/sw.js', { updateViaCache: 'none' })
}

/** Returns the state of notifications in this browser for a user. */
export async function getPushStatus(userId: string): Promise<PushStatus> {
  if (!isPushSupported()) return canBeInstalled() && !storesNothing ? 'needs_install' : 'unsupported'
  if (Notification.permission === 'denied') return 'denied'
  const subscription = await (await getRegistration())?.pushManager.getSubscription()
  return subscription && getPushOwner() === userId && Notification.permission === 'granted' ? 'on' : 'off'
}

/**
 * Returns the subscription of this browser for the server's key, and replaces one for another key. The permission must
 * have been granted: it does not prompt. Gives the service worker the token it renews the subscription with when no page is open.
 * Throws what the browser throws when its push service cannot be reached.
 */
export async function subscribeToPush(publicKey: string, renewalToken?: string): Promise<BrowserPushSubscription> {
  await registerServiceWorker()
  // `ready` never settles when the worker could not be installed
  const ready = withTimeout(serviceWorkers()!.ready, WORKER_READY_TIMEOUT_MS, 'the service worker did not start')
  const { pushManager, active } = await ready
  const key = decodeBase64url(publicKey)
  const existing = await pushManager.getSubscription()
  const isOurs = existing && equalBytes(existing.options.applicationServerKey, key)
  if (existing && !isOurs) await existing.unsubscribe()
  const subscription = isOurs
    ? existing
    : await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key })
  if (renewalToken) active?.postMessage({ renewal: { token: renewalToken, publicKey } })
  const { endpoint = '', keys = {} } = subscription.toJSON()
  return { endpoint, keys: { p256dh: keys['p256dh'] ?? '', auth: keys['auth'] ?? '' } }
}

/** Returns the endpoint at which the server reaches this browser; null when there is none. */
export async function getPushEndpoint(): Promise<string | null> {
  return (await (await getRegistration())?.pushManager.getSubscription())?.endpoint ?? null
}

/**
 * Ends notifications in this browser, closes the visible ones and removes their number from the app's icon. Never throws, so
 * that it cannot keep anybody from signing out.
 */
export async function unsubscribeFromPush(): Promise<void> {
  setAppBadge(0)
  const owner = getPushOwner()
  try {
    const worker = isPushSupported() ? await getRegistration() : null
    for (const shown of (await worker?.getNotifications()) ?? []) shown.close()
    await (await worker?.pushManager.getSubscription())?.unsubscribe()
  } catch {
    // the server deletes the subscription with the session; what remains here receives nothing
  }
  // last, so that the next page does what this one does not get to when it is left; somebody may have enabled them since
  if (owner !== null && getPushOwner() === owner) browserStore.removeItem(OWNER_KEY)
}

/** Writes the number of unread notifications on the icon of the installed app; 0 removes it. */
export function setAppBadge(count: number): void {
  // a browser without it, or one that shows no app here, has nothing to write on
  if ('setAppBadge' in navigator) navigator.setAppBadge(count).catch(() => {})
}

const decodeBase64url = (base64url: string) =>
  Uint8Array.from(atob(base64url.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0))

const equalBytes = (one: ArrayBuffer | null, other: Uint8Array) =>
  one !== null && one.byteLength === other.length && new Uint8Array(one).every((byte, i) => byte === other[i])
