import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openPool } from '../db/pool.ts'
import { createLogger } from '../log/logger.ts'
import { describeError } from '../log/safe-error.ts'
import { testApp } from '../test/app.ts'
import { openStream } from '../test/event-stream.ts'
import { eventually } from '../test/eventually.ts'
import { rawRequest } from '../test/raw-request.ts'
import { startSiblingServer } from '../test/sibling-server.ts'

const app = await testApp()
after(() => app.close())

/** A server that logs everything there is to log into an array of lines. */
async function startLoggingServer() {
  const lines: string[] = []
  const log = createLogger('trace', { write: (line) => void lines.push(line) })
  return { lines, ...(await startSiblingServer({ ...app.context, log })) }
}

const SECRET = 'Your lights are on, Königin Ünal 🚗'
const PLATE = 'SCRT777'

test('a fault is answered without details in both languages, and its log line holds nothing people wrote', async () => {
  const sender = await app.user({ email: 'somebody.secret@example.com', full_name: 'Hidden Name' })
  await app.vehicle(await app.user(), { plate: PLATE })
  const { lines, url, close } = await startLoggingServer()
  await app.db`alter table outbox rename to outbox_elsewhere`
  try {
    for (const [language, error] of [
      ['en', 'Something went wrong on our side. Please try again.'],
      ['fr-CA', 'Une erreur s’est produite de notre côté. Veuillez réessayer.'],
    ] as const) {
      const answer = await fetch(`${url}/api/messages?hidden=query-string`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${sender.token}`,
          'content-type': 'application/json',
          'accept-language': language,
        },
        body: JSON.stringify({ plate: PLATE, content: SECRET }),
      })
      assert.equal(answer.status, 500)
      assert.deepEqual(await answer.json(), { error, code: 'unexpected' })
      assert.equal(answer.headers.get('x-content-type-options'), 'nosniff')
      const id = answer.headers.get('x-request-id')
      const fault = await eventually(async () =>
        lines.map((line) => JSON.parse(line)).find((l) => l.reqId === id && l.fault),
      )
      assert.deepEqual([fault.msg, fault.fault.code], ['request failed', '42P01'])
      assert.ok(fault.fault.stack.length > 0)
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
    assert.ok(!log.includes(hidden), `the log holds ${hidden}`)
  }
})

test('what is logged of a fault is never its message, however many lines that has', () => {
  const fault = describeError(new TypeError('secret one\n    at secret two\nsecret three'))
  assert.doesNotMatch(JSON.stringify(fault), /secret/)
  assert.match(JSON.stringify(fault), /TypeError.*unexpected-errors\.test\.ts/)
  assert.deepEqual(describeError('secret'), { name: 'string' })
})

test('without its database a server still lives but is not ready, and asks callers to come back', async () => {
  const gone = openPool('postgres://nobody@127.0.0.1:1/nothing', 2)
  const person = await app.user()
  const server = await startSiblingServer({ ...app.context, db: gone })
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
    await gone.end()
  }
})

test('a server that stops lets requests under way end, ends live streams and takes no new ones', async () => {
  const person = await app.user()
  const server = await startSiblingServer(app.context)
  const stream = await openStream(server.url, person.token)
  await stream.next((event) => event.event === 'unread')

  // the person's row is held, so that the change has to wait
  const held = await app.db.reserve()
  await held`begin`
  await held`select 1 from preferences where user_id = ${person.id} for update`
  const change = fetch(`${server.url}/api/preferences`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${person.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ locale: 'fr-CA' }),
  })
  await eventually(async () => {
    const [waiting] = await app.db`
      select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    return waiting
  })

  let stopped = false
  const stopping = server.close().then(() => {
    stopped = true
  })
  await stream.end()
  await eventually(async () => {
    const refused = await rawRequest(server.url, '/healthz').then(
      ({ status }) => status === 503,
      () => true,
    )
    return refused || undefined
  })
  assert.equal(stopped, false)

  await held`commit`
  held.release()
  const answer = await change
  assert.equal(answer.status, 200)
  assert.equal(((await answer.json()) as { locale: string }).locale, 'fr-CA')
  // and it does not wait for connections that could carry another request
  const since = performance.now()
  await stopping
  assert.ok(performance.now() - since < 5_000)
  await assert.rejects(rawRequest(server.url, '/healthz'), { code: 'ECONNREFUSED' })
})
