import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { after, before, test } from 'node:test'
import type { Config } from '../config.ts'
import { type TestApp, testApp } from '../test/app.ts'
import { eventually } from '../test/eventually.ts'
import { startSiblingServer } from '../test/sibling-server.ts'

let app: TestApp
before(async () => {
  app = await testApp()
})
after(() => app.close())

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
