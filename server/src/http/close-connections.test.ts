import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { type TestApp, testApp } from '../test/app.ts'
import { startSiblingServer } from '../test/sibling-server.ts'
import { SECOND_MS, withTimeout } from '../time.ts'

const IN_GOOD_TIME_MS = 5 * SECOND_MS

let app: TestApp
before(async () => {
  app = await testApp()
})
after(() => app.close())

const isClosed = (socket: Socket) => withTimeout(once(socket, 'close'), IN_GOOD_TIME_MS)

test('a stop ends connections without a whole request, and lets one go on whose body is still arriving', async () => {
  const server = await startSiblingServer(app.context)
  const open = async (sent = '') => {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
    await once(socket, 'connect')
    socket.write(sent)
    return socket
  }
  const request = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n'
  const silent = [await open(), await open(request), await open(`${request}\r\n${request}`)]
  const body = JSON.stringify({ email: 'nobody@example.com', password: 'Correct-horse-7' })
  const arriving = await open(
    'POST /auth/v1/token?grant_type=password HTTP/1.1\r\nHost: localhost\r\ncontent-type: application/json\r\n' +
      `content-length: ${body.length}\r\n\r\n${body.slice(0, 10)}`,
  )
  const response = text(arriving)
  await once(silent[2]!, 'data')
  silent.forEach((socket) => void socket.resume())
  await fetch(`${server.url}/healthz`) // by then the server has them all

  const closed = server.close()
  await Promise.all(silent.map(isClosed))
  arriving.write(body.slice(10))
  assert.match(await withTimeout(response, IN_GOOD_TIME_MS), /^HTTP\/1\.1 400 /)
  await withTimeout(closed, IN_GOOD_TIME_MS)
})
