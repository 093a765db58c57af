import type { Installation, Reader } from './growth-data.ts'
import { runLoad } from './load-generator.ts'
import { encodeRequest } from './product.ts'

const SECONDS = 3
const CONNECTIONS = 8
/** A stream that reconnects has missed everything after it. */
const FIRST_EVENT = '1'
const STREAM_TIMEOUT_MS = 5_000

type Case = { name: string; status: number; requests: (installation: Installation) => Buffer[] }

/** What signed-in people do most, as often as the process can. */
const CASES: Case[] = [
  {
    name: 'send',
    status: 201,
    requests: ({ port, readers }) =>
      readers.map(({ token }, i) => {
        const { plate } = readers[(i * 7 + 3) % readers.length]!
        return encodeRequest(port, 'POST', '/api/messages', token, { plate, content: 'Your lights are on.' })
      }),
  },
  ...[
    '/api/messages?view=received',
    '/api/messages?view=sent',
    '/api/notifications',
    '/api/notifications/unread-count',
    '/api/vehicles',
    '/api/dashboard',
  ].map((path) => ({
    name: path,
    status: 200,
    requests: ({ port, readers }: Installation) => readers.map(({ token }) => encodeRequest(port, 'GET', path, token)),
  })),
]

/** What the workload consists of, for the description of the figures. */
export const WORKLOAD = [
  ...CASES.map(({ name }) => name),
  'and, of each of the people in turn: a refreshed session, a message read, marked and replied to, one that was sent, notifications marked one by one and together, and a stream that catches up',
].join(', ')

/** Ends the pauses after earlier emails, so that every run causes as many. */
async function endPauses({ db }: Installation): Promise<void> {
  await db`update digests set next_at = now() where next_at > now() and lease_token is null`
  await db`
    update outbox set run_at = now()
    where kind = 'message' and sent_at is null and failed_at is null and lease_token is null and run_at > now()`
}

/** Runs every case, and then for each person the requests that need the response to an earlier one. */
export async function runWorkload(installation: Installation): Promise<void> {
  await endPauses(installation)
  for (const { name, status, requests } of CASES) {
    const all = requests(installation)
    let next = 0
    const load = await runLoad(
      { host: '127.0.0.1', port: installation.port },
      CONNECTIONS,
      SECONDS,
      () => all[next++ % all.length]!,
      status,
    )
    if (load.unexpected.length > 0) throw new Error(`${name} was refused: ${load.unexpected.join(' | ')}`)
  }
  let next = 0
  const { readers } = installation
  const runVisits = async () => {
    while (next < readers.length) {
      const i = next++
      await visit(installation.port, readers[i]!, readers[(i + 1) % readers.length]!)
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, runVisits))
}

type Item = { id: string; is_read: boolean }

/** Makes the requests of one visit of a person; `other` owns the vehicle they write to, and replies. */
async function visit(port: number, reader: Reader, other: Reader): Promise<void> {
  const call = async (method: string, path: string, { token }: Reader, body?: object) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${method} ${path} responded with ${response.status}: ${await response.text()}`)
    return response.status === 204 ? undefined : response.json()
  }
  const list = async (path: string) => ((await call('GET', path, reader)) as { items: Item[] }).items

  const session = { refresh_token: reader.refreshToken }
  const renewed = await call('POST', '/auth/v1/token?grant_type=refresh_token', reader, session)
  const { access_token, refresh_token } = renewed as { access_token: string; refresh_token: string }
  Object.assign(reader, { token: access_token, refreshToken: refresh_token })

  const [received] = await list('/api/messages?view=received')
  if (received) {
    await call('GET', `/api/messages/${received.id}`, reader)
    for (const is_read of [!received.is_read, received.is_read])
      await call('PATCH', `/api/messages/${received.id}`, reader, { is_read })
  }
  const message = { plate: other.plate, content: 'Your lights are on.' }
  const { id } = (await call('POST', '/api/messages', reader, message)) as { id: string }
  await call('GET', `/api/messages/${id}`, reader)
  await call('POST', `/api/messages/${id}/reply`, other, { reply: 'Thank you.' })
  const [notification] = await list('/api/notifications')
  if (notification) {
    for (const is_read of [true, false])
      await call('PATCH', `/api/notifications/${notification.id}`, reader, { is_read })
  }
  await call('POST', '/api/notifications/read-all', reader)
  await catchUp(port, reader)
}

/** Opens a stream that reconnects, and closes it once it has what it missed. */
async function catchUp(port: number, { token }: Reader): Promise<void> {
  const ending = new AbortController()
  const timeout = setTimeout(() => ending.abort(), STREAM_TIMEOUT_MS)
  try {
    const response = await fetch(`http://127.0.0.1:${port}/api/live`, {
      headers: { authorization: `Bearer ${token}`, 'last-event-id': FIRST_EVENT },
      signal: ending.signal,
    })
    if (!response.ok) throw new Error(`a stream responded with ${response.status}`)
    let text = ''
    for await (const chunk of response.body!) {
      text += Buffer.from(chunk).toString()
      if (/^id: /m.test(text)) return
    }
    throw new Error('a stream did not catch up')
  } finally {
    clearTimeout(timeout)
    ending.abort()
  }
}
