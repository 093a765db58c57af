import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { type Config, loadConfig } from '../config.ts'
import { testApp } from '../test/app.ts'
import { openStream } from '../test/event-stream.ts'
import { eventually } from '../test/eventually.ts'
import { startSiblingServer } from '../test/sibling-server.ts'
import { drainMs } from './drain.ts'

const app = await testApp()

const startDraining = (DRAIN_SECONDS: number) =>
  startSiblingServer({ ...app.context, config: { ...app.config, DRAIN_SECONDS } })

/** Asks over a connection that stays open where the server lets it. */
const ask = (agent: Agent, url: string) =>
  new Promise<{ status: number | undefined; connection: string | undefined; socket: unknown }>((resolve, reject) => {
    const call = request(url, { agent }, (response) => {
      const { socket } = call
      response.resume().on('end', () => {
        resolve({ status: response.statusCode, connection: response.headers.connection, socket })
      })
    })
    call.on('error', reject).end()
  })

test('a process that drains says so at once, serves as before, and closes each connection after its response', async () => {
  const server = await startDraining(1)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  try {
    const first = await ask(agent, `${server.url}/readyz`)
    assert.deepEqual([first.status, first.connection], [200, 'keep-alive'])
    const drained = server.drain()
    const ready = await ask(agent, `${server.url}/readyz`)
    assert.deepEqual([ready.status, ready.connection], [503, 'close'])
    assert.equal(ready.socket, first.socket, 'the open connection still serves')
    const other = await ask(agent, `${server.url}/healthz`)
    assert.deepEqual([other.status, other.connection], [200, 'close'])
    await drained
  } finally {
    agent.destroy()
    await server.close()
  }
})

test('a stream is handed over before its process stops listening, with the id to resume from', async () => {
  const server = await startDraining(1)
  const [person, sender] = [await app.user(), await app.user()]
  const { plate } = await app.vehicle(person)
  const stream = await openStream(server.url, person.token)
  // no notification yet: the first count says from where to resume
  const { id: resumeFrom } = await stream.next(({ event }) => event === 'unread')
  const drained = server.drain()
  await stream.end()
  assert.match(stream.raw(), /retry: 100\n\n$/)
  await drained
  await server.close()
  const { body } = await sender.post('/api/messages', { plate, content: 'Your lights are on' })
  const next = await openStream(app.url, person.token, resumeFrom)
  const { data } = await next.next(({ event }) => event === 'notification')
  assert.equal(JSON.parse(data).data.message_id, body.id)
  await next.close()
})

test('without a proxy nothing waits: a stop is immediate', async () => {
  assert.equal(drainMs(loadConfig({})), 0)
  assert.equal(drainMs(loadConfig({ TRUST_PROXY: 'loopback' })), 5_000)
  assert.equal(drainMs(loadConfig({ TRUST_PROXY: 'loopback', DRAIN_SECONDS: '0' })), 0)
  assert.equal(drainMs(loadConfig({ TRUST_PROXY: 'loopback', ROLE: 'worker' })), 0)
  const server = await startSiblingServer(app.context)
  await server.drain()
  assert.equal((await fetch(`${server.url}/readyz`)).status, 200)
  await server.close()
})

/** So many that every listener of a port has some of them, whatever ports they come from. */
const MANY = 100

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
  let isOver = false
  void closed.then(() => {
    isOver = true
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
  assert.equal(isOver, false)
  for (const { socket } of requests) socket.write(body.slice(10))
  const statuses = await Promise.all(
    requests.map(async ({ response }) => /^HTTP\/1\.1 (\d+)/.exec(await response)?.[1]),
  )
  assert.deepEqual(new Set(statuses), new Set(['200']))
  await closed
})

const isClosed = (socket: Socket) => once(socket, 'close')

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
  assert.match(await response, /^HTTP\/1\.1 400 /)
  await closed
})

/** Starts a server with these settings, and opens that many connections to it. Each has answered a request, or was closed. */
async function openConnections(count: number, settings: Partial<Config>, from = '127.0.0.1') {
  const server = await startSiblingServer({ ...app.context, config: { ...app.config, ...settings } })
  const sockets: Socket[] = []
  after(async () => {
    for (const socket of sockets) socket.destroy()
    await server.close()
  })
  const open = async (localAddress = from) => {
    const socket = connect({ port: Number(new URL(server.url).port), host: '127.0.0.1', localAddress })
    socket.on('error', () => {})
    sockets.push(socket)
    socket.write('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n')
    const answered = once(socket, 'data').then(() => true)
    const closed = once(socket, 'close').then(() => false)
    return Promise.race([answered, closed])
  }
  const answered: boolean[] = []
  for (let i = 0; i < count; i++) answered.push(await open())
  return { server, sockets, open, answered: answered.filter(Boolean).length }
}

test('an address has so many connections and no more, until one of them closes', async () => {
  const { open, sockets, answered } = await openConnections(8, { MAX_CONNECTIONS_PER_ADDRESS: 5 })
  assert.equal(answered, 5)
  sockets[0]?.destroy()
  await eventually(async () => (await open()) || undefined)
})

test('the addresses of one network together have four times as many', async () => {
  const { open } = await openConnections(0, { MAX_CONNECTIONS_PER_ADDRESS: 1 })
  const answered: boolean[] = []
  for (let last = 1; last <= 6; last++) answered.push(await open(`127.0.7.${last}`))
  assert.deepEqual(answered, [true, true, true, true, false, false])
  assert.equal(await open('127.0.8.1'), true)
})

test('a trusted proxy may have any number, as its connections are those of many people', async () => {
  for (const TRUST_PROXY of [['127.0.0.1'], ['10.0.0.1', '127.0.0.0/8'], ['loopback']]) {
    const { answered } = await openConnections(8, { MAX_CONNECTIONS_PER_ADDRESS: 5, TRUST_PROXY })
    assert.equal(answered, 8, TRUST_PROXY.join())
  }
  const { answered } = await openConnections(8, { MAX_CONNECTIONS_PER_ADDRESS: 5, TRUST_PROXY: ['uniquelocal'] })
  assert.equal(answered, 5)
})

test('the whole server has a maximum, whoever connects', async () => {
  const { answered } = await openConnections(8, { MAX_CONNECTIONS: 5, TRUST_PROXY: ['127.0.0.1'] })
  assert.equal(answered, 5)
})
