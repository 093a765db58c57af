import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { type TestApp, testApp } from '../test/app.ts'
import { eventually } from '../test/eventually.ts'
import { startSiblingServer } from '../test/sibling-server.ts'
import { SECOND_MS, withTimeout } from '../time.ts'

const IN_GOOD_TIME_MS = 5 * SECOND_MS
/** So many that every listener of a port has some of them, whatever ports they come from. */
const MANY = 100

let app: TestApp
before(async () => {
  app = await testApp()
})
after(() => app.close())

test('a stop waits for the requests of every connection, and takes no more', async () => {
  const server = await startSiblingServer(app.context)
  const port = Number(new URL(server.url).port)
  const body = JSON.stringify({ email: 'nobody@example.com', password: 'Correct-horse-7' })
  const requests = await Promise.all(
    Array.from({ length: MANY }, async () => {
      const socket = connect(port, '127.0.0.1')
      await once(socket, 'connect')
      const started = once(socket, 'data')
      socket.write(
        'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\nPOST /auth/v1/recover HTTP/1.1\r\nHost: localhost\r\n' +
          `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body.slice(0, 10)}`,
      )
      await started // the server has the connection
      return { socket, response: text(socket) }
    }),
  )

  const closed = server.close()
  let isClosed = false
  void closed.then(() => {
    isClosed = true
  })
  const tryToConnect = async () => {
    const socket = connect(port, '127.0.0.1')
    return once(socket, 'connect').then(
      () => socket.destroy() && 'taken',
      (error) => error.code,
    )
  }
  await eventually(async () => (await tryToConnect()) === 'ECONNREFUSED' || undefined)
  const outcomes = await Promise.all(Array.from({ length: MANY }, tryToConnect))
  assert.deepEqual(new Set(outcomes), new Set(['ECONNREFUSED']))
  assert.equal(isClosed, false)
  for (const { socket } of requests) socket.write(body.slice(10))
  const statuses = await withTimeout(
    Promise.all(requests.map(async ({ response }) => /^HTTP\/1\.1 (\d+)/.exec(await response)?.[1])),
    IN_GOOD_TIME_MS,
  )
  assert.deepEqual(new Set(statuses), new Set(['200']))
  await withTimeout(closed, IN_GOOD_TIME_MS)
})
