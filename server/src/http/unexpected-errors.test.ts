import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setInterval } from 'node:timers/promises'
import { openPool } from '../db/pool.ts'
import { createLogger } from '../log/logger.ts'
import { describeError } from '../log/safe-error.ts'
import { createCaller, testApp } from '../test/app.ts'
import { startDatabaseProxy } from '../test/database-proxy.ts'
import { eventually } from '../test/eventually.ts'
import { rawRequest } from '../test/raw-request.ts'
import { startSiblingServer } from '../test/sibling-server.ts'
import { drawPng, uploadImage } from '../test/upload.ts'

const app = await testApp()

/** Starts a server that logs everything into an array of lines. */
async function startLoggingServer() {
  const lines: string[] = []
  const log = createLogger('trace', { write: (line) => void lines.push(line) })
  return { lines, ...(await startSiblingServer({ ...app.context, log })) }
}

const SECRET = 'Your lights are on, Königin Ünal 🚗'
const PLATE = 'SCRT777'

test('an unexpected error is reported without details in both languages, and logged without anything people wrote', async () => {
  const sender = await app.user({ email: 'somebody.secret@example.com', full_name: 'Hidden Name' })
  await app.vehicle(await app.user(), { plate: PLATE })
  const { lines, url, close } = await startLoggingServer()
  await app.db`alter table outbox rename to outbox_elsewhere`
  try {
    for (const [language, error] of [
      ['en', 'Something went wrong on our side. Please try again.'],
      ['fr-CA', 'Une erreur s’est produite de notre côté. Veuillez réessayer.'],
    ] as const) {
      const calls = createCaller(url, sender.token, { 'accept-language': language })
      const message = { plate: PLATE, content: SECRET }
      const response = await calls.post('/api/messages?hidden=query-string', message)
      assert.equal(response.status, 500)
      assert.deepEqual(response.body, { error, code: 'unexpected' })
      assert.equal(response.headers.get('x-content-type-options'), 'nosniff')
      const id = response.headers.get('x-request-id')
      const entry = await eventually(async () =>
        lines.map((line) => JSON.parse(line)).find((l) => l.reqId === id && l.error),
      )
      assert.deepEqual([entry.msg, entry.error.code], ['request failed', '42P01'])
      assert.ok(entry.error.stack.length > 0)
    }
  } finally {
    await app.db`alter table outbox_elsewhere rename to outbox`
    await close()
  }
  const log = lines.join('')
  for (const hidden of [
    SECRET,
    'Königin',
    PLATE,
    sender.email,
    'Hidden Name',
    sender.token,
    sender.id,
    'query-string',
  ]) {
    assert.ok(!log.includes(hidden), `the log contains ${hidden}`)
  }
})

test('the log never contains the message of an error, however many lines it has', () => {
  const described = describeError(new TypeError('secret one\n    at secret two\nsecret three'))
  assert.doesNotMatch(JSON.stringify(described), /secret/)
  assert.match(JSON.stringify(described), /TypeError.*unexpected-errors\.test\.ts/)
  assert.deepEqual(describeError('secret'), { name: 'string' })
})

test('without its database a server is alive but not ready, and asks callers to retry', async () => {
  const unreachable = openPool('postgres://nobody@127.0.0.1:1/nothing', 2)
  const person = await app.user()
  const server = await startSiblingServer({ ...app.context, db: unreachable })
  try {
    assert.equal((await rawRequest(server.url, '/healthz')).status, 200)
    const ready = await rawRequest(server.url, '/readyz')
    assert.equal(ready.status, 503)
    assert.ok(Number(ready.headers['retry-after']) > 0)
    const call = await rawRequest(server.url, '/api/vehicles', { headers: { authorization: `Bearer ${person.token}` } })
    assert.deepEqual([call.status, JSON.parse(call.text).code], [503, 'busy'])
    assert.ok(Number(call.headers['retry-after']) > 0)
    assert.doesNotMatch(ready.text + call.text, /127\.0\.0\.1|postgres|ECONN/i)
  } finally {
    await server.close()
    await unreachable.end()
  }
})

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
  for await (const _ of setInterval(25)) if (responses.push(rawRequest(server.url, '/readyz')) === 40) break
  const { inUse, waiting } = db.figures()
  assert.deepEqual(new Set((await Promise.all(responses)).map(({ status }) => status)), new Set([503]))
  assert.ok(inUse + waiting <= responses.length / 4, `${inUse + waiting} statements for ${responses.length} requests`)
  assert.equal((await rawRequest(server.url, '/healthz')).status, 200)
})

test('while the disk of the photos is full, callers are asked to retry', async () => {
  const person = await app.user()
  const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
  const files = { ...app.context.files, put: () => Promise.reject(full) }
  const server = await startSiblingServer({ ...app.context, files })
  const { status, body, headers } = await uploadImage(createCaller(server.url, person.token), await drawPng())
  assert.deepEqual([status, body.code, headers.get('retry-after')], [503, 'busy', '2'])
})
