import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setInterval } from 'node:timers/promises'
import { openPool } from '../db/pool.ts'
import { testApp } from '../test/app.ts'
import { startDatabaseProxy } from '../test/database-proxy.ts'
import { rawRequest } from '../test/raw-request.ts'
import { startSiblingServer } from '../test/sibling-server.ts'

const app = await testApp()
after(() => app.close())

test('a database that falls silent makes the server not ready and breaks nothing else; many requests ask it no more often than one would', async (t) => {
  const proxy = await startDatabaseProxy(app.database.connection)
  const db = openPool(proxy.connection, 2)
  const server = await startSiblingServer({ ...app.context, db })
  t.after(async () => {
    await server.close()
    proxy.close()
    await db.end({ timeout: 1 })
  })
  assert.equal((await rawRequest(server.url, '/readyz')).status, 200)
  await proxy.setMode('freeze')
  const responses: ReturnType<typeof rawRequest>[] = []
  for await (const _ of setInterval(100)) if (responses.push(rawRequest(server.url, '/readyz')) === 40) break
  const { inUse, waiting } = db.figures()
  assert.deepEqual(new Set((await Promise.all(responses)).map(({ status }) => status)), new Set([503]))
  assert.ok(inUse + waiting <= 3, `${inUse + waiting} statements in 4 s`)
  assert.equal((await rawRequest(server.url, '/healthz')).status, 200)
})
