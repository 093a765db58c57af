import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { after, test } from 'node:test'
import { openPool } from '../db/pool.ts'
import { testApp } from '../test/app.ts'
import { rawRequest } from '../test/raw-request.ts'
import { secondServer } from '../test/second-server.ts'

const app = await testApp()
after(() => app.close())

/** A way to the database that can break in the middle: open connections fall silent, new ones are refused. */
async function brittleWay() {
  const { host, port } = app.database.connection
  const both: { client: ReturnType<typeof connect>; database: ReturnType<typeof connect> }[] = []
  const way = createServer((client) => {
    const database = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host)
    client.pipe(database).pipe(client)
    for (const end of [client, database]) end.on('error', () => {})
    both.push({ client, database })
  }).listen(0, '127.0.0.1')
  await once(way, 'listening')
  return {
    port: (way.address() as AddressInfo).port,
    break() {
      way.close()
      for (const { client, database } of both) client.unpipe(database).pause()
    },
    close() {
      for (const { client, database } of both) for (const end of [client, database]) end.destroy()
    },
  }
}

test('a database that falls silent makes the server not ready, and ends nothing else', async () => {
  const way = await brittleWay()
  const db = openPool({ ...app.database.connection, host: '127.0.0.1', port: way.port }, 2)
  const server = await secondServer({ ...app.parts, db })
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
