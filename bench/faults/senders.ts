import { setTimeout as delay } from 'node:timers/promises'
import { newId } from '../../server/src/db/ids.ts'
import type { Pool } from '../../server/src/db/pool.ts'
import type { MailSink } from './mail-sink.ts'

const CLIENT_TIMEOUT_MS = 5_000
const RETRY_MS = 50

/** What was acknowledged: the id that was answered for each key, and when. */
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
    const answer = response?.status === 201 ? await response.json().catch(() => undefined) : undefined
    if (answer) {
      acknowledged.set(key, { id: (answer as { id: string }).id, at: performance.now() })
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

/** What the database and the mail server have of what was acknowledged. */
export type Audit = {
  acknowledged: number
  lost: number
  doubled: number
  notOneNotification: number
  mailMissing: number
  mailLate: number
  mailDoubled: number
  slowestMailMs: number
}

/**
 * Compares what was acknowledged with the database and, where there is one, the mail server: lost are answered ids that are no
 * message; doubled are keys with several messages, and ids that were answered for several keys.
 */
export async function auditSends(
  db: Pool,
  acknowledged: Acknowledged,
  sink: MailSink | undefined,
  mailWithinMs: number,
): Promise<Audit> {
  const ids = [...acknowledged.values()].map(({ id }) => id)
  const keys = [...acknowledged.keys()]
  const [counts] = await db<{ found: number; doubled: number; odd: number }[]>`
    select
      (select count(*) from messages where id = any(${ids}::uuid[]))::int as found,
      (select count(*) from (select idempotency_key from messages where idempotency_key = any(${keys}::text[])
        group by idempotency_key having count(*) > 1) d)::int as doubled,
      (select count(*) from unnest(${ids}::uuid[]) as m (id)
        where (select count(*) from notifications n where n.message_id = m.id) <> 1)::int as odd`
  const audit: Audit = {
    acknowledged: ids.length,
    lost: new Set(ids).size - counts!.found,
    doubled: counts!.doubled + ids.length - new Set(ids).size,
    notOneNotification: counts!.odd,
    mailMissing: 0,
    mailLate: 0,
    mailDoubled: 0,
    slowestMailMs: 0,
  }
  if (!sink) return audit
  const rows = await db<{ id: string; message_id: string }[]>`
    select id, ref_id as message_id from outbox where kind = 'message' and ref_id = any(${ids}::uuid[])`
  const messageByRow = new Map(rows.map(({ id, message_id }) => [id, message_id]))
  const arrivals = new Map<string, number[]>()
  for (const { row, at } of sink.taken) {
    const message = messageByRow.get(row)
    if (message) arrivals.set(message, [...(arrivals.get(message) ?? []), at])
  }
  for (const { id, at } of acknowledged.values()) {
    const times = arrivals.get(id) ?? []
    if (times.length === 0) audit.mailMissing++
    else if (times[0]! - at > mailWithinMs) audit.mailLate++
    if (times.length > 1) audit.mailDoubled++
    if (times.length > 0) audit.slowestMailMs = Math.max(audit.slowestMailMs, times[0]! - at)
  }
  return audit
}

/** Resolves once no mail waits any more, or after the time. Returns how many wait then. */
export async function waitForOutbox(db: Pool, timeoutMs: number): Promise<number> {
  const until = performance.now() + timeoutMs
  for (;;) {
    const [row] = await db<{ n: number }[]>`
      select count(*)::int as n from outbox where sent_at is null and failed_at is null`
    if (row!.n === 0 || performance.now() > until) return row!.n
    await delay(250)
  }
}
