import { setTimeout as delay } from 'node:timers/promises'
import { newId } from '../../server/src/db/ids.ts'
import type { Pool } from '../../server/src/db/pool.ts'

const CLIENT_TIMEOUT_MS = 5_000
const RETRY_MS = 50

/** What was acknowledged: the id in the response for each key, and when it came. */
export type Acknowledged = Map<string, { id: string; at: number }>

/** Sends one message under a key until it is acknowledged, each time through another of the processes. */
export async function sendUntilAcknowledged(
  urls: string[],
  token: string,
  plate: string,
  acknowledged: Acknowledged,
  counts: { tries: number },
  isStopped: () => boolean = () => false,
): Promise<void> {
  const key = newId()
  const body = JSON.stringify({ plate, content: 'Your lights are on.', reason: 'lights_on' })
  for (let n = Math.floor(Math.random() * urls.length); ; n++) {
    counts.tries++
    const response = await fetch(`${urls[n % urls.length]}/api/messages`, {
      method: 'POST',
      signal: AbortSignal.timeout(CLIENT_TIMEOUT_MS),
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': key },
      body,
    }).catch(() => undefined)
    // a response that breaks in the middle acknowledges nothing
    const created = response?.status === 201 ? await response.json().catch(() => undefined) : undefined
    if (created) {
      acknowledged.set(key, { id: (created as { id: string }).id, at: performance.now() })
      return
    }
    if (response && response.status !== 201) {
      const text = await response.text().catch(() => '')
      if (response.status !== 503) throw new Error(`a send was refused with ${response.status}: ${text}`)
    }
    if (isStopped()) return
    await delay(RETRY_MS)
  }
}

/** Resolves once no mail waits any more, or after the time-out. Returns how many wait then. */
export async function waitForOutbox(db: Pool, timeoutMs: number): Promise<number> {
  const until = performance.now() + timeoutMs
  for (;;) {
    const [row] = await db<{ n: number }[]>`
      select count(*)::int as n from outbox where sent_at is null and failed_at is null`
    if (row!.n === 0 || performance.now() > until) return row!.n
    await delay(250)
  }
}
