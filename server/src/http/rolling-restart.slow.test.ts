import assert from 'node:assert/strict'
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { createParser } from 'eventsource-parser'
import { newId } from '../db/ids.ts'
import { temporaryFolder } from '../test/closing.ts'
import { CIVIC } from '../test/disputes.ts'
import { eventually } from '../test/eventually.ts'
import { findFreePort } from '../test/free-port.ts'
import { openTestDatabase } from '../test/open-database.ts'
import { signUpOverHttp } from '../test/post-json.ts'
import { startProduct } from '../test/product.ts'

const CHECK_INTERVAL_MS = 100
const CHECK_TIMEOUT_MS = 1_000

type Backend = { port: number; isReady: boolean; agent: Agent }

/**
 * Starts a proxy in front of several processes, which asks each whether it is ready, leads requests to the ready ones in turn
 * over connections it keeps, and repeats none: whatever fails behind it fails before it.
 */
async function startRoundRobinProxy(ports: number[]) {
  const backends: Backend[] = ports.map((port) => ({ port, isReady: false, agent: new Agent({ keepAlive: true }) }))
  let turn = 0

  const check = async (backend: Backend) => {
    const signal = AbortSignal.timeout(CHECK_TIMEOUT_MS)
    const response = await fetch(`http://127.0.0.1:${backend.port}/readyz`, { signal }).catch(() => undefined)
    await response?.arrayBuffer().catch(() => {})
    backend.isReady = response?.status === 200
  }
  const forward = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const ready = backends.filter(({ isReady }) => isReady)
    const backend = ready[turn++ % ready.length]
    if (!backend) {
      outgoing.writeHead(502).end()
      return
    }
    const { connection: _, ...headers } = incoming.headers
    const call = request(
      {
        host: '127.0.0.1',
        port: backend.port,
        agent: backend.agent,
        method: incoming.method,
        path: incoming.url,
        headers: { ...headers, 'x-forwarded-for': incoming.socket.remoteAddress },
      },
      (response) => {
        const { connection: _ofBackend, 'keep-alive': __, ...responseHeaders } = response.headers
        outgoing.writeHead(response.statusCode ?? 502, responseHeaders)
        response.pipe(outgoing)
        response.on('error', () => outgoing.destroy())
      },
    )
    call.on('error', () => {
      if (outgoing.headersSent) outgoing.destroy()
      else outgoing.writeHead(502).end()
    })
    outgoing.on('close', () => call.destroy())
    incoming.pipe(call)
  }

  await Promise.all(backends.map(check))
  const checks = setInterval(() => backends.forEach((backend) => void check(backend)), CHECK_INTERVAL_MS)
  const server = createServer(forward)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    isReady: (port: number) => backends.some((backend) => backend.port === port && backend.isReady),
    close: () =>
      new Promise<void>((resolve) => {
        clearInterval(checks)
        for (const { agent } of backends) agent.destroy()
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const FIRST_RETRY_MS = 1_000

/**
 * Keeps a live stream open, as a page does: when it ends, it is opened again after the time the server named, behind the last
 * event that came. Counts how often each message was announced.
 */
function startLiveClient(url: string, token: string) {
  const control = new AbortController()
  const { signal } = control
  const timesByMessage = new Map<string, number>()
  let opened = 0
  let refused = 0
  let lastId = ''
  let retryMs = FIRST_RETRY_MS

  const readOnce = async () => {
    const headers = { authorization: `Bearer ${token}`, ...(lastId && { 'last-event-id': lastId }) }
    const response = await fetch(`${url}/api/live`, { signal, headers })
    if (response.status !== 200 || !response.body) {
      refused++
      return void (await response.arrayBuffer())
    }
    opened++
    const parser = createParser({
      onEvent({ id, event, data }) {
        if (id) lastId = id
        if (event !== 'notification') return
        const { message_id } = (JSON.parse(data) as { data: { message_id?: string } }).data
        if (message_id) timesByMessage.set(message_id, (timesByMessage.get(message_id) ?? 0) + 1)
      },
      onRetry(milliseconds) {
        retryMs = milliseconds
      },
    })
    const decoder = new TextDecoder()
    for await (const chunk of response.body) parser.feed(decoder.decode(chunk, { stream: true }))
  }
  const running = (async () => {
    while (!signal.aborted) {
      await readOnce().catch(() => {}) // interrupted: it is opened again
      await delay(retryMs * (0.5 + Math.random() / 2), undefined, { signal }).catch(() => {})
    }
  })()
  return {
    timesByMessage,
    opened: () => opened,
    /** Returns how many attempts to open it were refused. */
    refused: () => refused,
    async close() {
      control.abort()
      await running
    },
  }
}

const SENDERS = 4
const READERS = 2
const STREAMS = 8
const DRAIN_SECONDS = 1
const READY_TIMEOUT_MS = 30_000
const EVENTS_TIMEOUT_MS = 20_000
const EMAILS_TIMEOUT_MS = 60_000

const ROUNDS = 20

test(`${ROUNDS} restarts of each of two web processes and a worker under load fail no request and lose no live event`, async (t) => {
  const { db, url: databaseUrl } = await openTestDatabase()
  const dataDir = temporaryFolder('platenote-rolling-')
  const ports = [await findFreePort(), await findFreePort()]
  const workerPort = await findFreePort()
  const start = (port: number) =>
    startProduct({
      PORT: String(port),
      ROLE: port === workerPort ? 'worker' : 'web',
      DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl,
      TRUST_PROXY: 'loopback',
      DRAIN_SECONDS: String(DRAIN_SECONDS),
      AUTH_AUTOCONFIRM: 'true',
      LIMIT_SCALE: '100000',
      LOG_LEVEL: 'fatal',
    })
  const products = new Map<number, Awaited<ReturnType<typeof start>>>()
  t.after(() => Promise.all([...products.values()].map((product) => product.stop('SIGKILL'))))
  for (const port of [...ports, workerPort]) products.set(port, await start(port))
  const proxy = await startRoundRobinProxy(ports)
  t.after(() => proxy.close())

  const owners = await Promise.all(
    Array.from({ length: STREAMS }, async (_, i) => {
      const token = await signUpOverHttp(proxy.url, `owner${i}@example.com`)
      const plate = `ROLL${i}`
      await post(`${proxy.url}/register-plate`, token, { ...CIVIC, plate })
      const stream = startLiveClient(proxy.url, token)
      t.after(() => stream.close())
      return { token, plate, stream, sentIds: [] as string[] }
    }),
  )
  const streams = owners.map(({ stream }) => stream)
  await eventually(async () => (streams.every(({ opened }) => opened() === 1) ? true : undefined))

  /** What was answered otherwise than with success, or not at all. Nobody repeats a request. */
  const failed: string[] = []
  let requests = 0
  let isStopped = false
  const attempt = async (what: string, call: () => Promise<Response>): Promise<Response | undefined> => {
    requests++
    const response = await call().catch((error: unknown) => void failed.push(`${what}: ${String(error)}`))
    if (!response || response.ok) return response || undefined
    failed.push(`${what}: ${response.status} ${await response.text()}`)
    return undefined
  }
  const send = async (token: string, first: number) => {
    for (let i = first; !isStopped; i++) {
      const owner = owners[i % owners.length]!
      const message = { plate: owner.plate, content: `Your lights are on, ${i}.` }
      const response = await attempt('send', () => post(`${proxy.url}/api/messages`, token, message))
      if (response) owner.sentIds.push(((await response.json()) as { id: string }).id)
    }
  }
  const read = async (token: string) => {
    const headers = { authorization: `Bearer ${token}` }
    while (!isStopped) {
      const response = await attempt('read', () => fetch(`${proxy.url}/api/dashboard`, { headers }))
      await response?.arrayBuffer()
    }
  }
  const senders = Array.from({ length: SENDERS }, (_, i) => signUpOverHttp(proxy.url, `sender${i}@example.com`))
  const load = [...(await Promise.all(senders)).map(send), ...owners.slice(0, READERS).map(({ token }) => read(token))]
  try {
    for (let round = 1; round <= ROUNDS; round++) {
      for (const port of products.keys()) {
        const [code] = await products.get(port)!.stop('SIGTERM')
        if (code !== 0) failed.push(`a process ended with ${code}`)
        products.set(port, await start(port))
        if (port !== workerPort) await eventually(async () => proxy.isReady(port) || undefined, READY_TIMEOUT_MS)
      }
    }
  } finally {
    isStopped = true
    await Promise.all(load)
  }
  assert.deepEqual(failed, [])
  assert.ok(requests > ROUNDS * 40, 'there was load all the time')

  const lost = () => owners.flatMap(({ sentIds, stream }) => sentIds.filter((id) => !stream.timesByMessage.has(id)))
  await eventually(async () => (lost().length === 0 ? true : undefined), EVENTS_TIMEOUT_MS)
  const times = streams.flatMap(({ timesByMessage }) => [...timesByMessage.values()])
  assert.deepEqual(new Set(times), new Set([1]), 'each once')
  assert.deepEqual(new Set(streams.map(({ refused }) => refused())), new Set([0]))
  const handOvers = streams.reduce((sum, { opened }) => sum + opened() - 1, 0)
  assert.ok(handOvers >= ROUNDS * 2, 'streams moved')
  await eventually(async () => {
    const due = await db`select from outbox where sent_at is null and failed_at is null and run_at <= now() limit 1`
    return due.length === 0 ? true : undefined
  }, EMAILS_TIMEOUT_MS)
  t.diagnostic(`${requests} requests, ${times.length} live events, ${handOvers} streams handed over`)
})

const post = (url: string, token: string, body: object) =>
  fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': newId() },
    body: JSON.stringify(body),
  })
