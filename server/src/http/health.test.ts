import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { after, test } from 'node:test'
import { isUnavailable, openPool, preloadTypes } from '../db/pool.ts'
import { testApp } from '../test/app.ts'
import { rawRequest } from '../test/raw-request.ts'
import { startSiblingServer } from '../test/sibling-server.ts'

const app = await testApp()
after(() => app.close())

/** What a client begins a statement with (PostgreSQL: message formats): Query and Parse. */
const QUERY_MESSAGE_TYPES = [0x51, 0x50]

/** A way to the database that can break: open connections fall silent and new ones are refused, or the next one ends. */
async function createBreakableProxy() {
  const { host, port } = app.database.connection
  const both: { client: ReturnType<typeof connect>; database: ReturnType<typeof connect> }[] = []
  let nextEnds = false
  const way = createServer((client) => {
    const database = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host)
    client.pipe(database).pipe(client)
    if (nextEnds) client.on('data', (sent: Buffer) => QUERY_MESSAGE_TYPES.includes(sent[0] ?? 0) && client.destroy())
    nextEnds = false
    for (const end of [client, database]) end.on('error', () => {})
    both.push({ client, database })
  }).listen(0, '127.0.0.1')
  await once(way, 'listening')
  return {
    port: (way.address() as AddressInfo).port,
    /** The next connection is opened, and ends when it asks for the first time. */
    endNext() {
      nextEnds = true
    },
    break() {
      way.close()
      for (const { client, database } of both) client.unpipe(database).pause()
    },
    close() {
      way.close()
      for (const { client, database } of both) for (const end of [client, database]) end.destroy()
    },
  }
}

test('a database that falls silent makes the server not ready, and ends nothing else', async () => {
  const way = await createBreakableProxy()
  const db = openPool({ ...app.database.connection, host: '127.0.0.1', port: way.port }, 2)
  await preloadTypes(db)
  const server = await startSiblingServer({ ...app.context, db })
  try {
    assert.equal((await rawRequest(server.url, '/readyz')).status, 200)
    way.break()
    for (let i = 0; i < 2; i++) assert.equal((await rawRequest(server.url, '/readyz')).status, 503)
    assert.equal((await rawRequest(server.url, '/healthz')).status, 200)
  } finally {
    await server.close()
    way.close()
    await db.end({ timeout: 1 })
  }
})

test('a connection to the database that breaks as it is opened is an error of the one who asked, and ends nothing', async () => {
  const way = await createBreakableProxy()
  const db = openPool({ ...app.database.connection, host: '127.0.0.1', port: way.port }, 2)
  await preloadTypes(db)
  way.endNext()
  const ask = () =>
    db`select pg_sleep(0.2)`.then(
      () => 'answered',
      (error: unknown) => isUnavailable(error),
    )
  // the second needs a second connection; what nobody catches would fail this test
  assert.deepEqual(await Promise.all([ask(), ask()]), ['answered', true])
  assert.deepEqual([...(await db`select 1 as one`)], [{ one: 1 }])
  way.close()
  await db.end({ timeout: 1 })
})

test('lists are lists on every connection, though only the first looked up their types', async () => {
  const db = openPool(app.database.connection, 2)
  await preloadTypes(db)
  const ask = () => db`select ${['a', 'b']}::text[] as list, pg_backend_pid() as connection, pg_sleep(0.2)`
  const answers = await Promise.all([ask(), ask()])
  assert.deepEqual(
    answers.map(([answer]) => answer?.['list']),
    [
      ['a', 'b'],
      ['a', 'b'],
    ],
  )
  assert.notEqual(answers[0]?.[0]?.['connection'], answers[1]?.[0]?.['connection'])
  await db.end()
})
