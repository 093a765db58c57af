import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, test } from 'node:test'
import { openPool } from '../db/pool.ts'
import { type Person, type TestApp, testApp } from '../test/app.ts'
import { openStream } from '../test/event-stream.ts'
import { eventually } from '../test/eventually.ts'
import { fieldsOf } from '../test/fields.ts'
import { ensureTestServer } from '../test/postgres.ts'

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

const app = await testApp()

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
  const maintenance = openPool(server.connection(), 1)
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
      const response = await fetch(`${url}/api/messages`, {
        method: 'POST',
        headers: { authorization: `Bearer ${sender.token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ plate, content: `Through ${url}` }),
      })
      return response.status === 201 ? ((await response.json()) as { id: string }) : undefined
    })
    for (const stream of streams) {
      const received = async () =>
        stream.events('notification').find(({ data }) => JSON.parse(data).data.message_id === stored.id)
      await eventually(received, IMMEDIATE_MS)
    }
  }
  await Promise.all(streams.map((stream) => stream.close()))
})
