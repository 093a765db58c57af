import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, test } from 'node:test'
import { grantAdmin, revokeAdmin } from '../auth/admin-role.ts'
import { LIMITS } from '../limits/limits.ts'
import { allItems, createCaller, PASSWORD, type Person, type TestApp, testApp } from '../test/app.ts'
import { openTestPool } from '../test/database.ts'
import { assertEnds, openStream } from '../test/event-stream.ts'
import { eventually } from '../test/eventually.ts'
import { fieldsOf } from '../test/fields.ts'
import { ensureTestServer } from '../test/postgres.ts'
import { startSiblingServer } from '../test/sibling-server.ts'

const app = await testApp()
/** Another process, with the real limits. */
const limited = await testApp({ settings: { LIMIT_SCALE: '1' }, sibling: app })
const [owner, sender] = [await app.user(), await app.user()]
const plate = (await app.vehicle(owner)).plate

describe('notifications', () => {
  const send = async (content: string) => (await sender.post('/api/messages', { plate, content })).body.id as string

  test('are listed newest first and paged without gaps or repetitions', async () => {
    const ids = []
    // a dozen: numbers of two digits must not sort as text
    for (let i = 0; i < 12; i++) ids.unshift(await send(`n ${i}`))
    const listed = await allItems(owner, '/api/notifications?limit=5')
    assert.deepEqual(
      listed.map(({ data }) => data.message_id),
      ids,
    )
  })

  test('about a message are read with it, by whoever sent it too', async () => {
    const id = await send('Is this yours?')
    assert.equal((await owner.post(`/api/messages/${id}/reply`, { reply: 'It is' })).status, 200)
    const unread = async () => (await sender.get('/api/notifications/unread-count')).body.count as number
    assert.equal(await unread(), 1)
    assert.equal((await sender.patch(`/api/messages/${id}`, { is_read: true })).body.view, 'sent')
    assert.equal(await unread(), 0)
  })

  describe('live', () => {
    test('a stream that reconnects gets exactly what it missed, in order', async () => {
      const first = await openStream(app.url, owner.token)
      await send('seen')
      const { id: lastId } = await first.next((e) => e.event === 'notification')
      await first.close()
      const missed = await Promise.all(Array.from({ length: 30 }, (_, i) => send(`missed ${i}`)))
      const second = await openStream(app.url, owner.token, lastId)
      await second.next(() => second.events('notification').length >= 30)
      const ids = second.events('notification').map((e) => JSON.parse(e.data).data.message_id)
      assert.deepEqual(ids.toSorted(), missed.toSorted())
      const numbers = second.events('notification').map((e) => Number(e.id))
      assert.deepEqual(
        numbers,
        numbers.toSorted((a, b) => a - b),
      )
      await second.close()
    })

    test('a stream from an invalid number starts now instead of failing', async () => {
      for (const from of ['999999999', 'x', '-1']) {
        const stream = await openStream(app.url, owner.token, from)
        const id = await send('from now on')
        await stream.next((e) => e.event === 'notification' && JSON.parse(e.data).data.message_id === id)
        assert.equal(stream.events('notification').length, 1)
        await stream.close()
      }
    })

    test('a client that disconnects while its stream opens does not count against the limit', async () => {
      const hasty = await app.user()
      await app.db.begin(async (tx) => {
        // stops every stream where it reads the number to start from
        await tx`lock table notification_counters in access exclusive mode`
        const control = new AbortController()
        const opening = Array.from({ length: 6 }, () =>
          fetch(`${limited.url}/api/live`, {
            signal: control.signal,
            headers: { authorization: `Bearer ${hasty.token}` },
          }),
        )
        // five have been counted when the sixth is refused
        assert.equal((await Promise.race(opening)).status, 429)
        control.abort()
        await Promise.allSettled(opening)
        // the server has seen them disconnect when it responds to a later request
        assert.equal((await limited.visitor.get('/healthz')).status, 200)
      })
      await eventually(async () => {
        const streams = await Promise.all(Array.from({ length: 5 }, () => openStream(limited.url, hasty.token)))
        await Promise.all(streams.map((stream) => stream.close()))
        return streams.every(({ status }) => status === 200) ? true : undefined
      })
    })
  })
})

/** Opens streams of a user in both processes, does something, and waits until both have ended. */
async function assertEndsStreams(person: Person, act: () => Promise<unknown>) {
  const streams = [await openStream(app.url, person.token), await openStream(limited.url, person.token)]
  await Promise.all(streams.map((stream) => stream.next((e) => e.event === 'unread')))
  await assertEnds(streams, act)
}

test('signing out one device leaves the stream of the other open', async () => {
  const person = await app.user()
  const elsewhere = await app.signIn(person.email, PASSWORD)
  const stays = await openStream(app.url, person.token)
  await assertEndsStreams(elsewhere, () => elsewhere.post('/auth/v1/logout?scope=local'))
  await person.patch('/api/preferences', { locale: 'fr-CA' })
  const sender = await app.user()
  const { plate } = await app.vehicle(person)
  await sender.post('/api/messages', { plate, content: 'Your lights are on' })
  await stays.next((e) => e.event === 'notification')
  await stays.close()
})

test('the streams of a former admin end, and open again with the present rights only', async () => {
  const [person, other] = [await app.user(), await app.user()]
  await grantAdmin(app.db, other.email)
  await grantAdmin(app.db, person.email)
  assert.equal((await person.get('/api/admin/stats')).status, 200)
  await assertEndsStreams(person, () => revokeAdmin(app.db, person.email))
  const { status, body } = await person.get('/api/admin/stats')
  assert.deepEqual([status, body.code], [403, 'forbidden'])
  const stream = await openStream(app.url, person.token)
  assert.equal(stream.status, 200)
  await stream.close()
})

test('a sign-out ends streams also where the network is over its limit of anonymous requests', async () => {
  const person = await app.user()
  await using strict = await startSiblingServer({ ...app.context, config: { ...app.config, LIMIT_SCALE: 0.1 } })
  const stream = await openStream(strict.url, person.token)
  await stream.next((e) => e.event === 'unread')
  const callAnonymously = async () => (await fetch(`${strict.url}/api/vehicles`)).status
  for (let i = 0; i < LIMITS.anonymousRequests.max / 10; i++) await callAnonymously()
  assert.equal(await callAnonymously(), 429)
  await assertEnds([stream], () => person.post('/auth/v1/logout'))
})

/** Well below the 15 s between two heartbeats, so that whatever arrives in this time came by a hint. */
const IMMEDIATE_MS = 8_000

/** Inserts notifications without a hint to any process. */
async function insertWithoutHint({ db }: TestApp, { id }: Person, count: number) {
  await db.begin(async (tx) => {
    const [row] = await tx<{ last_number: string }[]>`
      insert into notification_counters (user_id, last_number) values (${id}, ${count})
      on conflict (user_id) do update set last_number = notification_counters.last_number + excluded.last_number
      returning last_number::text`
    await tx`
      insert into notifications (id, user_id, number, type, data)
      select gen_random_uuid(), ${id}, ${row!.last_number}::bigint - ${count} + n, 'vehicle_approved',
        jsonb_build_object('plate', 'QUIET')
      from generate_series(1, ${count}) n`
  })
}

describe('a live stream', { concurrency: true }, () => {
  test('finds notifications without a hint', async () => {
    const person = await app.user()
    const stream = await openStream(app.url, person.token)
    await stream.next((e) => e.event === 'unread')
    await insertWithoutHint(app, person, 1)
    await eventually(async () => stream.events('notification')[0])
    await stream.next((e) => e.event === 'unread' && JSON.parse(e.data).count === 1)
    await stream.close()
  })

  test('skips numbers whose notifications were deleted', async () => {
    const person = await app.user()
    await insertWithoutHint(app, person, 300)
    await app.db`delete from notifications where user_id = ${person.id} and number % 150 <> 7`
    const stream = await openStream(app.url, person.token, '1')
    await stream.next((e) => e.event === 'unread' && JSON.parse(e.data).count === 2)
    assert.deepEqual(fieldsOf(stream.events('notification'), 'id'), ['7', '157'])
    await stream.close()
  })

  test('is closed when the client does not read, which then gets the rest', async () => {
    const person = await app.user()
    const count = 40_000
    await insertWithoutHint(app, person, count)
    // a plain socket: fetch reads ahead
    const { hostname, port } = new URL(app.url)
    const socket = connect(Number(port), hostname)
    socket.write(
      `GET /api/live HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: Bearer ${person.token}\r\nlast-event-id: 0\r\n\r\n`,
    )
    await once(socket, 'readable')
    // the server has written everything to it when it has done so to a later one that reads
    const attentive = await openStream(app.url, person.token, '0')
    await eventually(async () => (attentive.events('notification').length === count ? true : undefined))
    await attentive.close()
    const closed = once(socket, 'close')
    let read = ''
    socket.on('error', () => {}) // a reset closes it too
    socket.setEncoding('utf8').on('data', (text: string) => {
      read += text
    })
    await closed
    const last = Number([...read.matchAll(/^id: (\d+)$/gm)].at(-1)?.[1] ?? 0)
    assert.ok(last < count, `${last} of ${count} were sent to a client that did not read`)

    const stream = await openStream(app.url, person.token, String(last))
    await stream.next((e) => e.id === String(count))
    const numbers = stream.events('notification').map(({ id }) => Number(id))
    assert.deepEqual([numbers[0], numbers.at(-1), numbers.length], [last + 1, count, count - last])
    await stream.close()
  })
})

test('streams survive the loss of the database, and then get again what another process stores', async (t) => {
  const app = await testApp()
  const beside = await testApp({ settings: { DATABASE_POOL: '4' }, sibling: app })
  t.after(async () => {
    await beside.close()
    await app.close()
  })
  const [owner, sender] = [await app.user(), await app.user()]
  const { plate } = await app.vehicle(owner)
  const streams = [await openStream(app.url, owner.token), await openStream(beside.url, owner.token)]
  await Promise.all(streams.map((stream) => stream.next((e) => e.event === 'unread')))

  const server = await ensureTestServer()
  const maintenance = openTestPool(server.connection(), 1)
  const name = app.database.connection.database
  await maintenance`alter database ${maintenance(name)} allow_connections false`
  await maintenance`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name}`
  assert.equal((await app.visitor.get('/readyz')).status, 503)
  assert.equal((await beside.visitor.get('/readyz')).status, 503)
  await maintenance`alter database ${maintenance(name)} allow_connections true`
  await maintenance.end()
  for (const { visitor } of [app, beside]) {
    await eventually(async () => ((await visitor.get('/readyz')).status === 200 ? true : undefined))
  }

  // each process stores one: both streams get both, one of them through the other process
  for (const { url } of [app, beside]) {
    const stored = await eventually(async () => {
      const message = { plate, content: `Through ${url}` }
      const { status, body } = await createCaller(url, sender.token).post('/api/messages', message)
      return status === 201 ? (body as { id: string }) : undefined
    })
    for (const stream of streams) {
      const received = async () =>
        stream.events('notification').find(({ data }) => JSON.parse(data).data.message_id === stored.id)
      await eventually(received, IMMEDIATE_MS)
    }
  }
  await Promise.all(streams.map((stream) => stream.close()))
})
