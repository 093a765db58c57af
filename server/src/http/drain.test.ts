import assert from 'node:assert/strict'
import { Agent, request } from 'node:http'
import { after, before, test } from 'node:test'
import { loadConfig } from '../config.ts'
import { type TestApp, testApp } from '../test/app.ts'
import { openStream } from '../test/event-stream.ts'
import { startSiblingServer } from '../test/sibling-server.ts'
import { drainMs } from './drain.ts'

let app: TestApp
before(async () => {
  app = await testApp()
})
after(() => app.close())

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
