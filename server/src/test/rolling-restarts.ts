import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newId } from '../db/ids.ts'
import { openPool } from '../db/pool.ts'
import { createTestDatabase } from './database.ts'
import { eventually } from './eventually.ts'
import { findFreePort } from './free-port.ts'
import { startLiveClient } from './live-client.ts'
import { signUpOverHttp } from './post-json.ts'
import { startProduct } from './product.ts'
import { startRoundRobinProxy } from './round-robin-proxy.ts'

const SENDERS = 4
const READERS = 2
const STREAMS = 8
const DRAIN_SECONDS = 1
const READY_TIMEOUT_MS = 30_000
const EVENTS_TIMEOUT_MS = 20_000
const EMAILS_TIMEOUT_MS = 60_000

type RollingRestarts = {
  requests: number
  /** What was answered otherwise than with success, or not at all. */
  failed: string[]
  /** Messages that were acknowledged, each an event of one stream. */
  events: number
  lostEvents: number
  repeatedEvents: number
  refusedStreams: number
  handOvers: number
  gapsMs: number[]
  /** Emails that were due and not sent in good time afterwards. */
  lateEmails: number
}

/**
 * Restarts two web processes behind a proxy and then a worker, one after the other and all of them in each round, while people
 * send, read, and have streams open. Nobody repeats a request.
 */
export async function runRollingRestarts(rounds: number, onRound: (done: number) => void = () => {}) {
  const database = await createTestDatabase()
  const dataDir = mkdtempSync(join(tmpdir(), 'platenote-rolling-'))
  const ports = [await findFreePort(), await findFreePort()]
  const workerPort = await findFreePort()
  const start = (port: number) =>
    startProduct({
      PORT: String(port),
      ROLE: port === workerPort ? 'worker' : 'web',
      DATA_DIR: dataDir,
      DATABASE_URL: database.url,
      TRUST_PROXY: 'loopback',
      DRAIN_SECONDS: String(DRAIN_SECONDS),
      AUTH_AUTOCONFIRM: 'true',
      LIMIT_SCALE: '100000',
      LOG_LEVEL: 'fatal',
    })
  const products = new Map<number, Awaited<ReturnType<typeof start>>>()
  // one after the other, so that none is left behind when another does not start
  for (const port of [...ports, workerPort]) products.set(port, await start(port))
  const proxy = await startRoundRobinProxy(ports)
  const cleanUp = async () => {
    await proxy.close()
    for (const product of products.values()) await product.stop('SIGKILL')
    await database.drop()
    rmSync(dataDir, { recursive: true, force: true })
  }
  try {
    const owners = await Promise.all(
      Array.from({ length: STREAMS }, async (_, i) => {
        const token = await signUpOverHttp(proxy.url, `owner${i}@example.com`)
        const plate = `ROLL${i}`
        await post(`${proxy.url}/register-plate`, token, {
          plate,
          make: 'Honda',
          model: 'Civic',
          registration_year: 2020,
          province: 'Ontario',
        })
        return { token, plate, stream: startLiveClient(proxy.url, token), sentIds: [] as string[] }
      }),
    )
    await eventually(async () => (owners.every(({ stream }) => stream.opened() === 1) ? true : undefined))
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
    const sender = async (token: string, first: number) => {
      for (let i = first; !isStopped; i++) {
        const owner = owners[i % owners.length]!
        const message = { plate: owner.plate, content: `Your lights are on, ${i}.` }
        const response = await attempt('send', () => post(`${proxy.url}/api/messages`, token, message))
        if (response) owner.sentIds.push(((await response.json()) as { id: string }).id)
      }
    }
    const reader = async (token: string) => {
      while (!isStopped) {
        const headers = { authorization: `Bearer ${token}` }
        const response = await attempt('read', () => fetch(`${proxy.url}/api/dashboard`, { headers }))
        await response?.arrayBuffer()
      }
    }
    const tokens = await Promise.all(
      Array.from({ length: SENDERS }, (_, i) => signUpOverHttp(proxy.url, `sender${i}@example.com`)),
    )
    const load = [
      ...tokens.map((token, i) => sender(token, i)),
      ...owners.slice(0, READERS).map(({ token }) => reader(token)),
    ]
    try {
      for (let round = 1; round <= rounds; round++) {
        for (const port of products.keys()) {
          const [code] = await products.get(port)!.stop('SIGTERM')
          if (code !== 0) failed.push(`a process ended with ${code}`)
          products.set(port, await start(port))
          if (port !== workerPort) await eventually(async () => proxy.isReady(port) || undefined, READY_TIMEOUT_MS)
        }
        onRound(round)
      }
    } finally {
      isStopped = true
      await Promise.all(load)
    }
    const lost = () => owners.flatMap(({ sentIds, stream }) => sentIds.filter((id) => !stream.timesByMessage.has(id)))
    await eventually(async () => (lost().length === 0 ? true : undefined), EVENTS_TIMEOUT_MS).catch(() => {}) // counted below
    const streams = owners.map(({ stream }) => stream)
    const result: RollingRestarts = {
      requests,
      failed,
      events: owners.reduce((sum, { sentIds }) => sum + sentIds.length, 0),
      lostEvents: lost().length,
      repeatedEvents: streams.flatMap(({ timesByMessage }) => [...timesByMessage.values()].filter((n) => n > 1)).length,
      refusedStreams: streams.reduce((sum, { refused }) => sum + refused(), 0),
      handOvers: streams.reduce((sum, { opened }) => sum + opened() - 1, 0),
      gapsMs: streams.flatMap(({ gapsMs }) => gapsMs),
      lateEmails: await countLateEmails(database.connection),
    }
    await Promise.all(streams.map((stream) => stream.close()))
    return result
  } finally {
    await cleanUp()
  }
}

/** Waits until no email is due any more, and returns how many are when that takes too long. */
async function countLateEmails(connection: Parameters<typeof openPool>[0]): Promise<number> {
  const db = openPool(connection, 1)
  const count = async () => {
    const [row] = await db<{ due: number }[]>`
      select count(*)::int as due from outbox where sent_at is null and failed_at is null and run_at <= now()`
    return row!.due
  }
  try {
    return await eventually(async () => ((await count()) === 0 ? 0 : undefined), EMAILS_TIMEOUT_MS).catch(count)
  } finally {
    await db.end()
  }
}

const post = (url: string, token: string, body: object) =>
  fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': newId() },
    body: JSON.stringify(body),
  })
