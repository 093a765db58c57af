import { setTimeout as delay } from 'node:timers/promises'
import sharp from 'sharp'
import { newId } from '../../server/src/db/ids.ts'
import type { Pool } from '../../server/src/db/pool.ts'
import { signUpOverHttp } from '../../server/src/test/post-json.ts'
import { withTimeout } from '../../server/src/time.ts'

const CLIENT_TIMEOUT_MS = 5_000
const RETRY_MS = 50
/** Whatever takes longer counts as long, and is not waited for: a failure must not look like a run that goes on. */
export const GIVE_UP_MS = 120_000

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

/** Returns what uploads a photo of noise, of some hundred kilobytes. */
export async function createUpload(token: string) {
  const noise = { type: 'gaussian' as const, mean: 120, sigma: 40 }
  const create = { width: 600, height: 400, channels: 3 as const, background: '#258', noise }
  const photo = new Blob([new Uint8Array(await sharp({ create }).jpeg().toBuffer())], { type: 'image/jpeg' })
  return (url: string, signal: AbortSignal | null = null) => {
    const body = new FormData()
    body.append('file', photo, 'photo.jpg')
    return fetch(`${url}/api/attachments`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body,
      signal,
    })
  }
}

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

export type Clients = Awaited<ReturnType<typeof startClients>>

/** Starts clients, which send through all processes and wait about so long between two sends. */
export async function startClients(urls: string[], nextPlate: () => string, count: number, pauseMs: number) {
  const tokens = await Promise.all(
    Array.from({ length: count }, (_, i) => signUpOverHttp(urls[0]!, `sender${i}@example.com`)),
  )
  const acknowledged: Acknowledged = new Map()
  const counts = { tries: 0 }
  let [isStopped, isAborted] = [false, false]
  const clients = Promise.all(
    tokens.map(async (token) => {
      while (!isStopped) {
        await sendUntilAcknowledged(urls, token, nextPlate(), acknowledged, counts, () => isAborted)
        await delay(pauseMs * (0.5 + Math.random()))
      }
    }),
  )
  return {
    token: tokens[0]!,
    acknowledged,
    counts,
    giveUp() {
      isAborted = isStopped = true
    },
    isGivenUp: () => isAborted,
    /** Runs some work, stops the clients, and waits until each has its last response; after a failure they give up at once. */
    async whileSending<T>(work: () => Promise<T>): Promise<T> {
      try {
        const result = await Promise.race([work(), clients.then(() => Promise.reject(new Error('the clients ended')))])
        isStopped = true
        await withTimeout(clients, GIVE_UP_MS)
        return result
      } catch (error) {
        isAborted = isStopped = true
        throw error
      }
    },
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
