import type { Installation, Reader } from './growth-data.ts'
import { createClient, type Member } from './installation.ts'
import { encodeRequest, inTurn, runLoad } from './load-generator.ts'

const SECONDS = 3
const CONNECTIONS = 8
/** A stream that reconnects has missed everything after it. */
const FIRST_EVENT = '1'
const STREAM_TIMEOUT_MS = 5_000

type Case = { name: string; requests: (readers: Reader[]) => Buffer[] }

/** What signed-in people do most, as often as the process can. */
const CASES: Case[] = [
  {
    name: 'send',
    requests: (readers) =>
      readers.map(({ token }, i) => {
        const { plate } = readers[(i * 7 + 3) % readers.length]!
        return encodeRequest('POST', '/api/messages', token, { plate, content: 'Your lights are on.' })
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
    requests: (readers: Reader[]) => readers.map(({ token }) => encodeRequest('GET', path, token)),
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
  const { member, readers } = installation
  for (const { requests } of CASES) {
    const request = inTurn(requests(readers))
    await runLoad({ port: member.port, connections: CONNECTIONS, seconds: SECONDS, request })
  }
  let next = 0
  const runVisits = async () => {
    while (next < readers.length) {
      const i = next++
      await visit(member, readers[i]!, readers[(i + 1) % readers.length]!)
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, runVisits))
}

type Item = { id: string; is_read: boolean }

/** Makes the requests of one visit of a person; `other` owns the vehicle they write to, and replies. */
async function visit(member: Member, reader: Reader, other: Reader): Promise<void> {
  const { call } = createClient(member)
  const list = async (path: string) => ((await call('GET', path, reader.token)) as { items: Item[] }).items

  const session = { refresh_token: reader.refreshToken }
  const renewed = await call('POST', '/auth/v1/token?grant_type=refresh_token', reader.token, session)
  const { access_token, refresh_token } = renewed as { access_token: string; refresh_token: string }
  Object.assign(reader, { token: access_token, refreshToken: refresh_token })

  const [received] = await list('/api/messages?view=received')
  if (received) {
    await call('GET', `/api/messages/${received.id}`, reader.token)
    for (const is_read of [!received.is_read, received.is_read])
      await call('PATCH', `/api/messages/${received.id}`, reader.token, { is_read })
  }
  const message = { plate: other.plate, content: 'Your lights are on.' }
  const { id } = (await call('POST', '/api/messages', reader.token, message)) as { id: string }
  await call('GET', `/api/messages/${id}`, reader.token)
  await call('POST', `/api/messages/${id}/reply`, other.token, { reply: 'Thank you.' })
  const [notification] = await list('/api/notifications')
  if (notification) {
    for (const is_read of [true, false])
      await call('PATCH', `/api/notifications/${notification.id}`, reader.token, { is_read })
  }
  await call('POST', '/api/notifications/read-all', reader.token)
  await catchUp(member, reader)
}

/** Opens a stream that reconnects, and closes it once it has what it missed. */
async function catchUp({ url }: Member, { token }: Reader): Promise<void> {
  const ending = new AbortController()
  const timeout = setTimeout(() => ending.abort(), STREAM_TIMEOUT_MS)
  try {
    const response = await fetch(`${url}/api/live`, {
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
