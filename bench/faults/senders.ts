import { setTimeout as delay } from 'node:timers/promises'
import { newId } from '../../server/src/db/ids.ts'
import type { Pool } from '../../server/src/db/pool.ts'

const CLIENT_TIMEOUT_MS = 5_000
const RETRY_MS = 50

/** What was acknowledged: the id in the response for each key, and when it came. */
export type Acknowledged = Map<string, { id: string; at: number }>

/** Sends a message under a key, once. */
export const postMessage = (url: string, token: string, key: string, body: string, signal?: AbortSignal) =>
  fetch(`${url}/api/messages`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': key },
    body,
    ...(signal && { signal }),
  })

/** Returns the id of the message that is stored under a key. */
export async function findStoredId(db: Pool, key: string): Promise<string | undefined> {
  const [row] = await db<{ id: string }[]>`select id from messages where idempotency_key = ${key}`
  return row?.id
}

/** Returns whether there is exactly one message with a key or an id, one notification and one mail of it. */
export async function isStoredOnce(db: Pool, key: string, id: string): Promise<boolean> {
  const [count] = await db<{ messages: number; notifications: number; mails: number }[]>`
    select (select count(*) from messages where idempotency_key = ${key} or id = ${id})::int as messages,
      (select count(*) from notifications where message_id = ${id})::int as notifications,
      (select count(*) from outbox where kind = 'message' and ref_id = ${id})::int as mails`
  return count!.messages === 1 && count!.notifications === 1 && count!.mails === 1
}

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
    const url = urls[n % urls.length]!
    const timeOut = AbortSignal.timeout(CLIENT_TIMEOUT_MS)
    const response = await postMessage(url, token, key, body, timeOut).catch(() => undefined)
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
