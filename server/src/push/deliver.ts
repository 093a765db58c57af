import webPush from 'web-push'
import type { PushDevice, PushPayload } from '#contract/push.ts'
import type { Config } from '../config.ts'
import { pushServiceUrl } from './device-rules.ts'
import type { VapidKeys } from './vapid.ts'

/** How a push ended. The word goes into the log: it never quotes the push, the device or its service. */
export type PushEnd =
  | { state: 'sent' }
  /** The service does not know the device any more (RFC 8030 §7.3): it never will again. */
  | { state: 'gone' }
  /** Trying this push again would get the same answer. */
  | { state: 'refused'; word: string }
  /** `afterMs`: what the service asks to wait. */
  | { state: 'deferred'; word: string; afterMs?: number }

/** Sends one push to one device, once. Never throws. */
export type Deliver = (device: PushDevice, payload: PushPayload) => Promise<PushEnd>

const SECOND_MS = 1000
export const DELIVER_TIMEOUT_MS = 10 * SECOND_MS
/** A service keeps a push this long for a device that is off; what is older nobody is helped by. */
const TTL_S = 24 * 3600
const HOUR_MS = 3600 * SECOND_MS

/**
 * Pushes over HTTP (RFC 8030), encrypted for the device (RFC 8291) and signed (RFC 8292). Calls known services only,
 * follows no redirect, and reads nothing of what they answer but its head.
 */
export function makeDeliver(
  { PUSH_HOSTS, SUPPORT_EMAIL }: Pick<Config, 'PUSH_HOSTS' | 'SUPPORT_EMAIL'>,
  vapid: VapidKeys,
  { timeoutMs = DELIVER_TIMEOUT_MS }: { timeoutMs?: number } = {},
): Deliver {
  const vapidDetails = { subject: `mailto:${SUPPORT_EMAIL}`, ...vapid }
  return async (device, payload) => {
    const url = pushServiceUrl(device.endpoint, PUSH_HOSTS)
    if (!url) return { state: 'gone' } // PUSH_HOSTS knew it when the device came
    const signal = AbortSignal.timeout(timeoutMs)
    try {
      const { headers, body } = webPush.generateRequestDetails(device, JSON.stringify(payload), {
        TTL: TTL_S,
        urgency: 'high',
        vapidDetails,
      })
      const answer = await fetch(url, {
        method: 'POST',
        // the length is the transport's to write
        headers: Object.fromEntries(
          Object.entries(headers)
            .filter(([name]) => name.toLowerCase() !== 'content-length')
            .map(([name, value]) => [name, String(value)]),
        ),
        body: new Uint8Array(body),
        redirect: 'manual',
        signal,
      })
      await answer.body?.cancel()
      return endOf(answer)
    } catch {
      return { state: 'deferred', word: signal.aborted ? 'timeout' : 'connection' }
    }
  }
}

function endOf({ status, ok, headers }: Response): PushEnd {
  if (ok) return { state: 'sent' }
  if (status === 404 || status === 410) return { state: 'gone' }
  const word = `http_${status}`
  if (status !== 429 && status < 500) return { state: 'refused', word }
  const afterMs = Number(headers.get('retry-after') ?? Number.NaN) * SECOND_MS
  return { state: 'deferred', word, ...(afterMs > 0 && { afterMs: Math.min(afterMs, HOUR_MS) }) }
}
