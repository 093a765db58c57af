import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, describe, type TestContext, test } from 'node:test'
import { Registry } from 'prom-client'
import { LOCALES } from '#contract/product.ts'
import { buildApp } from '../app.ts'
import type { Config } from '../config.ts'
import type { Pool } from '../db/pool.ts'
import { createLogger } from '../log/logger.ts'
import { type Person, type TestApp, testApp } from '../test/app.ts'
import { openTestPool } from '../test/database.ts'
import { openStream } from '../test/event-stream.ts'
import { eventually } from '../test/eventually.ts'
import { holdLocks } from '../test/locks.ts'
import { rawRequest } from '../test/raw-request.ts'
import { startMetricsServer } from './metrics.ts'

const MAX_CALLS = 4
const CALL = '/api/vehicles'
/** Returns the same path in a spelling in which only Fastify's router recognizes the route: it is refused in the ordinary way. */
const escaped = (path: string) => `/%${path.charCodeAt(1).toString(16)}${path.slice(2)}`

/** Returns the headers without what differs from one response to the next of the same kind. */
const comparable = ({ date: _, 'x-request-id': id, ...headers }: Record<string, unknown>) => ({
  ...headers,
  hasRequestId: /^[0-9a-f]{8}-[0-9a-f]{4}-7/.test(String(id)),
})

/** While all places are taken most calls are refused before Fastify knows of them (decision overload-protection). Nobody may notice. */
describe('calls that are refused early', () => {
  let app: TestApp
  let person: Person
  let locks: Pool
  before(async () => {
    app = await testApp()
    person = await app.user()
    locks = openTestPool(app.database.connection, 1)
  })
  after(() => locks.end())

  const holdVehicles = (t: TestContext) =>
    holdLocks(t, locks, (connection) => connection`lock table vehicles in access exclusive mode`)

  /** Starts a server all of whose places are taken until `letGo`; `seen` are the addresses that reached Fastify since. */
  async function startFullServer(t: TestContext, settings: Partial<Config> = {}) {
    const lines: string[] = []
    const log = createLogger('info', { write: (line) => void lines.push(line) })
    const config = { ...app.config, LIMIT_SCALE: 1, MAX_CONCURRENT_CALLS: MAX_CALLS, ...settings }
    const server = await buildApp({ ...app.context, config, log, patienceMs: undefined })
    const seen: string[] = []
    server.addHook('onSend', async ({ method, url }) => void seen.push(`${method} ${url}`))
    const metrics = await startMetricsServer(server, '127.0.0.1', 0, async () => new Registry())
    const unlock = await holdVehicles(t)
    t.after(async () => {
      metrics.close()
      await server.close()
    })
    await server.listen({ host: '127.0.0.1', port: 0 })
    const { port } = server.server.address() as AddressInfo
    const url = `http://127.0.0.1:${port}`
    const headers = { authorization: `Bearer ${person.token}` }
    const held = Array.from({ length: MAX_CALLS }, () => rawRequest(url, CALL, { headers }))
    await eventually(async () => (server.workInProgress('calls') === MAX_CALLS ? true : undefined))
    /** Makes calls until they no longer wait for a place in Fastify, as the first ones do (decision overload-protection). */
    const outlastBurst = () =>
      eventually(async () => {
        seen.length = 0
        await rawRequest(url, CALL)
        return seen.length === 0 ? true : undefined
      })
    await outlastBurst()
    const letGo = async () => {
      await unlock()
      assert.deepEqual(new Set((await Promise.all(held)).map(({ status }) => status)), new Set([200]))
    }
    t.after(letGo)
    /** Returns the count of a line of the metrics, 0 where there is none yet. */
    const readMetric = async (line: string) => {
      const response = await fetch(`http://127.0.0.1:${(metrics.address() as AddressInfo).port}/metrics`)
      const found = (await response.text()).split('\n').find((one) => one.startsWith(`${line} `))
      return Number(found?.slice(line.length) ?? 0)
    }
    return { server, url, port, seen, lines, headers, letGo, readMetric, outlastBurst }
  }

  /** Returns all responses that come over a connection, which the server is to close after the last one. */
  const receiveAll = async (socket: Socket) => (await text(socket)).split(/(?=HTTP\/1\.1 \d)/)

  /** Sends bytes over one connection, and the rest once a response begins to come, and returns all responses. */
  function exchange(port: number, first: string, rest: string): Promise<string[]> {
    const socket = connect(port, '127.0.0.1')
    socket.once('readable', () => socket.write(rest))
    socket.write(first)
    return receiveAll(socket)
  }
  const lastRequest = 'GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n'

  test('they get the headers and the text of any refusal, in both languages', async (t) => {
    const { url, seen } = await startFullServer(t, { production: true })
    for (const language of [...LOCALES, 'de', undefined]) {
      const headers = { ...(language && { 'accept-language': language }), connection: 'keep-alive' }
      const early = await rawRequest(url, `${CALL}?view=all`, { headers })
      const ordinary = await rawRequest(url, escaped(CALL), { headers })
      assert.deepEqual([early.status, JSON.parse(early.text).code, early.headers['retry-after']], [503, 'busy', '1'])
      assert.equal(early.text, ordinary.text)
      assert.equal(early.text.includes('Veuillez'), language?.startsWith('fr') ?? false)
      assert.deepEqual(comparable(early.headers), comparable(ordinary.headers))
    }
    assert.deepEqual(new Set(seen), new Set([`GET ${escaped(CALL)}`]), 'the early ones did not reach Fastify')
  })

  test('each has an id of its own, a line in the log and its place in the metrics', async (t) => {
    const { url, lines, readMetric } = await startFullServer(t)
    const counts = {
      'platenote_work_refused_total{class="calls",status="503"}': 3,
      'http_request_duration_seconds_count{method="GET",route="/api/vehicles",status="503"}': 2,
      'http_request_duration_seconds_count{method="POST",route="/api/messages",status="503"}': 1,
    }
    const before = await Promise.all(Object.keys(counts).map(readMetric))
    lines.length = 0
    const responses = [
      await rawRequest(url, `${CALL}?secret=1`),
      await rawRequest(url, '/api/messages', { method: 'POST', headers: { 'content-length': '2' }, body: '{}' }),
      await rawRequest(url, escaped(CALL)),
    ]
    const logged = lines.map((line) => JSON.parse(line))
    assert.deepEqual(
      logged.map(({ level, msg, reqId, method, route, status }) => ({ level, msg, reqId, method, route, status })),
      [`GET ${CALL}`, 'POST /api/messages', `GET ${CALL}`].map((call, i) => ({
        level: 30,
        msg: 'request',
        reqId: responses[i]?.headers['x-request-id'],
        method: call.split(' ')[0],
        route: call.split(' ')[1],
        status: 503,
      })),
    )
    assert.deepEqual(Object.keys(logged[0]), Object.keys(logged[2]))
    assert.ok(logged.every(({ ms }) => ms >= 0))
    for (const [i, [line, more]] of Object.entries(counts).entries())
      assert.equal((await readMetric(line)) - before[i]!, more, line)
  })

  test('the connection goes on after a refused call whose body nobody has read', async (t) => {
    const { port, seen } = await startFullServer(t)
    const post = (headers: string) => `POST /api/messages HTTP/1.1\r\nhost: x\r\n${headers}\r\n\r\n`
    const large = 'x'.repeat(900_000)
    for (const [first = '', rest = ''] of [
      [`${post('content-length: 2')}{}`],
      [`${post('content-length: 2')}{}${CALL_TO_REFUSE}`], // pipelined
      [post('content-length: 900000') + large.slice(0, 5), large.slice(5)],
      [`${post('transfer-encoding: chunked')}2\r\n{}\r\n`, '0\r\n\r\n'],
    ]) {
      const responses = await exchange(port, first, rest + lastRequest)
      const statuses = responses.map((response) => response.slice(9, 12))
      assert.deepEqual(statuses, first.includes('GET') ? ['503', '503', '200'] : ['503', '200'])
      assert.match(responses[0]!, /\r\nconnection: keep-alive\r\n/i)
    }
    assert.deepEqual(new Set(seen), new Set(['GET /healthz']))
  })
  const CALL_TO_REFUSE = `GET ${CALL} HTTP/1.1\r\nhost: x\r\n\r\n`

  test('health, live streams, sign-ins and what is no call are answered as ever', async (t) => {
    const { url, seen } = await startFullServer(t)
    assert.equal((await rawRequest(url, '/healthz')).status, 200)
    assert.equal((await rawRequest(url, '/readyz')).status, 200)
    assert.equal((await rawRequest(url, '/openapi.json')).status, 200)
    assert.equal((await rawRequest(url, '/auth/v1/user')).status, 401)
    assert.equal((await rawRequest(url, '/nothing-here')).status, 404)
    const stream = await openStream(url, person.token)
    await stream.next(({ event }) => event === 'unread')
    await stream.close()
    assert.equal((await rawRequest(url, CALL, { method: 'HEAD' })).status, 503)
    assert.equal(seen.at(-1), `HEAD ${CALL}`, 'Fastify decides about it, as it always did')
  })

  test('while a process drains or stops, the connection is closed after the refusal', async (t) => {
    const { server, url, letGo } = await startFullServer(t, { DRAIN_SECONDS: 1 })
    const keepAlive = { connection: 'keep-alive' }
    assert.equal((await rawRequest(url, CALL, { headers: keepAlive })).headers.connection, 'keep-alive')
    const drained = server.drain()
    const { status, headers } = await rawRequest(url, CALL, { headers: keepAlive })
    assert.deepEqual([status, headers.connection, headers['retry-after']], [503, 'close', '1'])
    await drained
    const accepted = once(server.server, 'connection') as Promise<[Socket]>
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    socket.write('GET /api/vehicles HTTP/1.1\r\n')
    const [serverSide] = await accepted
    await eventually(async () => (serverSide.bytesRead > 0 ? true : undefined)) // an idle one would be closed
    const closed = server.close()
    await eventually(async () => (server.server.listening ? undefined : true))
    socket.write('host: x\r\n\r\n')
    const response = await text(socket)
    assert.match(response, /^HTTP\/1\.1 503 /)
    assert.match(response, /\r\nconnection: close\r\n/i)
    await letGo()
    await closed
  })
})
