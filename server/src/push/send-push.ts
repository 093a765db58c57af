import { createHash, ECDH } from 'node:crypto'
import webPush from 'web-push'
import type { BrowserPushSubscription, PushPayload } from '#contract/push.ts'
import type { Config } from '../config.ts'
import { DAY_S, HOUR_MS, SECOND_MS } from '../time.ts'
import type { VapidKeys } from './vapid.ts'

/** How a push ended. The reason goes into the log; it never quotes the push, the device or its service. */
type PushResult =
  | { state: 'sent' }
  /** The service no longer knows the device, and never will again (RFC 8030 §7.3). */
  | { state: 'gone' }
  /** Another try of this push would get the same response. */
  | { state: 'refused'; reason: string }
  /** `retryAfterMs` is the wait the service asks for. */
  | { state: 'deferred'; reason: string; retryAfterMs?: number }

/** Sends one push to one device, once. Never throws. */
export type SendPush = (device: BrowserPushSubscription, payload: PushPayload) => Promise<PushResult>

const PUSH_TIMEOUT_MS = 10 * SECOND_MS
/** A service stores a push this long for a device that is off; an older one helps nobody. */
const TTL_S = DAY_S
const TOPIC_LENGTH = 32

/**
 * Creates the function that pushes over HTTP (RFC 8030), encrypted for the device (RFC 8291) and signed (RFC 8292). It
 * only calls known services, follows no redirects, and reads nothing of their responses but the headers.
 */
export function makeSendPush(
  { PUSH_HOSTS, SUPPORT_EMAIL }: Pick<Config, 'PUSH_HOSTS' | 'SUPPORT_EMAIL'>,
  vapid: VapidKeys,
  { timeoutMs = PUSH_TIMEOUT_MS }: { timeoutMs?: number } = {},
): SendPush {
  const vapidDetails = { subject: `mailto:${SUPPORT_EMAIL}`, ...vapid }
  return async (device, payload) => {
    const url = parsePushServiceUrl(device.endpoint, PUSH_HOSTS)
    if (!url) return { state: 'gone' } // PUSH_HOSTS has changed since the device was added
    const signal = AbortSignal.timeout(timeoutMs)
    try {
      const { headers, body } = webPush.generateRequestDetails(device, JSON.stringify(payload), {
        TTL: TTL_S,
        urgency: 'high',
        topic: toTopic(device, payload),
        vapidDetails,
      })
      const response = await fetch(url, {
        method: 'POST',
        // fetch writes the length itself
        headers: Object.fromEntries(
          Object.entries(headers)
            .filter(([name]) => name.toLowerCase() !== 'content-length')
            .map(([name, value]) => [name, String(value)]),
        ),
        body: new Uint8Array(body),
        redirect: 'manual',
        signal,
      })
      await response.body?.cancel()
      return toPushResult(response)
    } catch {
      return { state: 'deferred', reason: signal.aborted ? 'timeout' : 'connection' }
    }
  }
}

/**
 * Returns the topic of a push (RFC 8030 §5.4): the service then replaces one that it has not delivered yet, when a try whose
 * response was lost is repeated. It differs from device to device, so that services cannot find out that two have one owner.
 */
const toTopic = ({ endpoint }: BrowserPushSubscription, { notification }: PushPayload) =>
  createHash('sha256').update(`${endpoint}\0${notification.tag}`).digest('base64url').slice(0, TOPIC_LENGTH)

function toPushResult({ status, ok, headers }: Response): PushResult {
  if (ok) return { state: 'sent' }
  if (status === 404 || status === 410) return { state: 'gone' }
  const reason = `http_${status}`
  if (status !== 429 && status < 500) return { state: 'refused', reason }
  const retryAfterMs = Number(headers.get('retry-after') ?? Number.NaN) * SECOND_MS
  return { state: 'deferred', reason, ...(retryAfterMs > 0 && { retryAfterMs: Math.min(retryAfterMs, HOUR_MS) }) }
}

/**
 * Returns the address of a device, or null unless it is at a known push service. Browsers supply these addresses and
 * the server calls them; any other one could point into the server's own network.
 *
 * @param hosts the setting PUSH_HOSTS: host names with or without a port, `*.` for any host below a name; outside
 *   production also `http://` and a port on this machine
 */
export function parsePushServiceUrl(endpoint: string, hosts: readonly string[]): URL | null {
  const url = URL.parse(endpoint)
  if (url?.username !== '' || url.password !== '') return null
  const known = hosts.some((host) => {
    if (host.startsWith('http:')) return url.origin === host
    if (url.protocol !== 'https:') return false
    return host.startsWith('*.') ? url.host.endsWith(host.slice(1)) : url.host === host
  })
  return known ? url : null
}

/** Returns whether a message can be encrypted with these keys (RFC 8291 §3.1): a point on the curve and 16 bytes. */
export function hasValidKeys({ p256dh, auth }: BrowserPushSubscription['keys']): boolean {
  if (Buffer.from(auth, 'base64url').length !== 16) return false
  try {
    // throws unless it is a point on the curve; a compressed one has 33 bytes
    ECDH.convertKey(p256dh, 'prime256v1', 'base64url', 'base64url')
    return Buffer.from(p256dh, 'base64url').length === 65
  } catch {
    return false
  }
}
