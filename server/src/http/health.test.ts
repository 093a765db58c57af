import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { after, type TestContext, test } from 'node:test'
import { setInterval } from 'node:timers/promises'
import { isUnavailable, openPool } from '../db/pool.ts'
import { testApp } from '../test/app.ts'
import { rawRequest } from '../test/raw-request.ts'
import { startSiblingServer } from '../test/sibling-server.ts'

const app = await testApp()
after(() => app.close())

/** The types of the messages that start a statement (PostgreSQL, message formats): Query and Parse. */
const QUERY_MESSAGE_TYPES = [0x51, 0x50]

/** Starts a proxy to the database that can break: open connections fall silent and new ones are refused, or the next one closes. */
async function createBreakableProxy() {
  const { host, port } = app.database.connection
  const connections: { client: ReturnType<typeof connect>; database: ReturnType<typeof connect> }[] = []
  let nextEnds = false
  const proxy = createServer((client) => {
    const database = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host)
    client.pipe(database).pipe(client)
    if (nextEnds) client.on('data', (sent: Buffer) => QUERY_MESSAGE_TYPES.includes(sent[0] ?? 0) && client.destroy())
    nextEnds = false
    for (const end of [client, database]) end.on('error', () => {})
    connections.push({ client, database })
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  return {
    port: (proxy.address() as AddressInfo).port,
    /** Lets the next connection open, and close at its first statement. */
    endNext() {
      nextEnds = true
    },
    break() {
      proxy.close()
      for (const { client, database } of connections) client.unpipe(database).pause()
    },
    close() {
      proxy.close()
      for (const { client, database } of connections) for (const end of [client, database]) end.destroy()
    },
  }
}

/** Starts a server whose database is behind such a proxy; it ends with the test. */
async function startOnBreakableProxy(t: TestContext) {
  const proxy = await createBreakableProxy()
  const db = openPool({ ...app.database.connection, host: '127.0.0.1', port: proxy.port }, 2)
  const server = await startSiblingServer({ ...app.context, db })
  t.after(async () => {
    await server.close()
    proxy.close()
    await db.end({ timeout: 1 })
  })
  return { proxy, db, server }
}

test('a database that falls silent makes the server not ready, and breaks nothing else', async (t) => {
  const { proxy, server } = await startOnBreakableProxy(t)
  assert.equal((await rawRequest(server.url, '/readyz')).status, 200)
  proxy.break()
  for (let i = 0; i < 2; i++) assert.equal((await rawRequest(server.url, '/readyz')).status, 503)
  assert.equal((await rawRequest(server.url, '/healthz')).status, 200)
})

test('many requests while the database is silent ask it no more often than one would', async (t) => {
  const { proxy, db, server } = await startOnBreakableProxy(t)
  assert.equal((await rawRequest(server.url, '/readyz')).status, 200)
  proxy.break()
  const responses: ReturnType<typeof rawRequest>[] = []
  for await (const _ of setInterval(100)) if (responses.push(rawRequest(server.url, '/readyz')) === 40) break
  const { inUse, waiting } = db.figures()
  assert.deepEqual(new Set((await Promise.all(responses)).map(({ status }) => status)), new Set([503]))
  assert.ok(inUse + waiting <= 3, `${inUse + waiting} statements in 4 s`)
})

test('a database connection that breaks as it opens fails only the statement that needed it', async () => {
  const proxy = await createBreakableProxy()
  const db = openPool({ ...app.database.connection, host: '127.0.0.1', port: proxy.port }, 2)
  await db`select 1`
  proxy.endNext()
  const query = () =>
    db`select pg_sleep(0.2)`.then(
      () => 'done',
      (error: unknown) => isUnavailable(error),
    )
  // the second one needs a second connection; an uncaught error would fail this test
  assert.deepEqual(await Promise.all([query(), query()]), ['done', true])
  assert.deepEqual([...(await db`select 1 as one`)], [{ one: 1 }])
  proxy.close()
  await db.end({ timeout: 1 })
})
