import { createHash } from 'node:crypto'
import webPush from 'web-push'
import type { BrowserPushSubscription, PushPayload } from '#contract/push.ts'
import type { Config } from '../config.ts'
import { DAY_S, HOUR_MS, SECOND_MS } from '../time.ts'
import { parsePushServiceUrl } from './validate-subscription.ts'
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
