import type { BrowserPushSubscription } from '#contract/push.ts'
import { withTimeout } from '~/lib/time/timeout'

/** Whose notifications this browser shows: the id of the person who switched them on here. */
const OWNER_KEY = 'platenote-push'
const WORKER_READY_TIMEOUT_MS = 10_000

/** How notifications stand in this browser. `needs_install`: as an app on the home screen it could show them. */
export type PushStatus = 'unsupported' | 'needs_install' | 'denied' | 'off' | 'on'

const isPushSupported = () => 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window

/** iPhones and iPads, which name themselves Macintosh too; they push to installed apps only. */
const isAppleTouchDevice = () =>
  /iPhone|iPad|iPod/.test(navigator.userAgent) ||
  (/Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1)

/** Who switched notifications on in this browser; null when nobody has. */
export function getPushOwner(): string | null {
  try {
    return localStorage.getItem(OWNER_KEY)
  } catch {
    return null
  }
}

/** Notes who has switched them on. */
export const setPushOwner = (userId: string): void => localStorage.setItem(OWNER_KEY, userId)

const getRegistration = async () => (await navigator.serviceWorker.getRegistration('/')) ?? null

/** The service worker: offline page and notifications. Only a build has what it keeps. */
export async function registerServiceWorker(): Promise<void> {
  if (import.meta.env.PROD && 'serviceWorker' in navigator) {
    await navigator.serviceWorker.register('/sw.js', { updateViaCache: 'none' })
  }
}

/** How notifications stand here for a person. */
export async function getPushStatus(userId: string): Promise<PushStatus> {
  if (!isPushSupported()) return isAppleTouchDevice() ? 'needs_install' : 'unsupported'
  if (Notification.permission === 'denied') return 'denied'
  const subscription = await (await getRegistration())?.pushManager.getSubscription()
  return subscription && getPushOwner() === userId && Notification.permission === 'granted' ? 'on' : 'off'
}

/**
 * The subscription of this browser for the server's key; made anew when the server has another one. Asks nobody: the
 * permission must be there. Throws what the browser throws when its push service cannot be reached.
 */
export async function subscribeToPush(publicKey: string): Promise<BrowserPushSubscription> {
  await registerServiceWorker()
  // `ready` never settles when the worker could not be installed
  const ready = withTimeout(navigator.serviceWorker.ready, WORKER_READY_TIMEOUT_MS, 'the service worker did not start')
  const { pushManager } = await ready
  const key = decodeBase64url(publicKey)
  const existing = await pushManager.getSubscription()
  const isOurs = existing && equalBytes(existing.options.applicationServerKey, key)
  if (existing && !isOurs) await existing.unsubscribe()
  const subscription = isOurs
    ? existing
    : await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key })
  const { endpoint = '', keys = {} } = subscription.toJSON()
  return { endpoint, keys: { p256dh: keys['p256dh'] ?? '', auth: keys['auth'] ?? '' } }
}

/** The address the server reaches this browser at; null when there is none. */
export async function getPushEndpoint(): Promise<string | null> {
  return (await (await getRegistration())?.pushManager.getSubscription())?.endpoint ?? null
}

/** No notifications come to this browser any more, and those on the screen go. Never throws: it stands before a sign-out. */
export async function unsubscribeFromPush(): Promise<void> {
  try {
    localStorage.removeItem(OWNER_KEY)
    if (!isPushSupported()) return
    const worker = await getRegistration()
    for (const shown of (await worker?.getNotifications()) ?? []) shown.close()
    await (await worker?.pushManager.getSubscription())?.unsubscribe()
  } catch {
    // the server ends them with the session, and the address that is left reaches nobody
  }
}

const decodeBase64url = (base64url: string) =>
  Uint8Array.from(atob(base64url.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0))

const equalBytes = (one: ArrayBuffer | null, other: Uint8Array) =>
  one !== null && one.byteLength === other.length && new Uint8Array(one).every((byte, i) => byte === other[i])
