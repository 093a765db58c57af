import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { createTestDatabase } from '../test/database.ts'
import { findFreePort } from '../test/free-port.ts'
import { signUpOverHttp } from '../test/post-json.ts'
import { type ServerProcess, startProduct } from '../test/product.ts'
import { runSlowClient, SLOW_HEADERS, type SlowClient, slowBodies } from '../test/slow-clients.ts'
import { SECOND_MS, withTimeout } from '../time.ts'

const CLIENTS = 300
const HEADERS_GONE_MS = 15 * SECOND_MS
const BODIES_GONE_MS = 45 * SECOND_MS

let product: ServerProcess
let database: Awaited<ReturnType<typeof createTestDatabase>>
let port: number
let url: string
const folder = mkdtempSync(join(tmpdir(), 'platenote-slow-'))

before(async () => {
  database = await createTestDatabase()
  port = await findFreePort()
  url = `http://127.0.0.1:${port}`
  product = await startProduct({
    DATABASE_URL: database.url,
    DATA_DIR: folder,
    PORT: String(port),
    ROLE: 'web',
    AUTH_AUTOCONFIRM: 'true',
    LIMIT_SCALE: '100000',
    LOG_LEVEL: 'error',
    MAX_CONNECTIONS_PER_ADDRESS: '2000',
  })
})
after(async () => {
  const [code] = await product.stop()
  await database.drop()
  rmSync(folder, { recursive: true, force: true })
  assert.equal(code, 0)
  assert.equal(product.err(), '')
})

/** Opens that many slow clients of these kinds and returns, by kind, how long the last of them was served. */
async function runSlowClients(kinds: SlowClient[], count: number, limitMs: number): Promise<Record<string, number>> {
  const longest: Record<string, number> = {}
  const clients = Array.from({ length: count }, async (_, i) => {
    const kind = kinds[i % kinds.length]!
    const { ended } = await runSlowClient(port, kind)
    const startedAt = performance.now()
    const endedAt = await withTimeout(ended, limitMs + 30 * SECOND_MS)
    longest[kind.name] = Math.max(longest[kind.name] ?? 0, endedAt - startedAt)
  })
  await Promise.all(clients)
  return longest
}

/** Sends a body at an even pace and returns the status of the response. */
function sendSlowly(body: Buffer, bytesPerSecond: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1' })
    socket.once('error', reject)
    socket.once('data', (bytes: Buffer) => {
      resolve(Number(bytes.toString('latin1', 9, 12)))
      socket.destroy()
    })
    socket.write(
      `POST /auth/v1/token?grant_type=password HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`,
    )
    const send = async () => {
      for (let at = 0; at < body.length && socket.writable; at += bytesPerSecond / 4) {
        socket.write(body.subarray(at, at + bytesPerSecond / 4))
        await pause(SECOND_MS / 4)
      }
    }
    send().catch(reject)
  })
}

describe('slow clients', { concurrency: true }, () => {
  test('300 whose headers do not end are gone within 15 s', async () => {
    const longest = await runSlowClients(SLOW_HEADERS, CLIENTS, HEADERS_GONE_MS)
    assert.equal(Object.keys(longest).length, SLOW_HEADERS.length)
    for (const [kind, ms] of Object.entries(longest)) assert.ok(ms < HEADERS_GONE_MS, `${kind}: ${ms.toFixed(0)} ms`)
  })

  test('300 whose body does not end are gone within 45 s', async () => {
    const token = await signUpOverHttp(url, 'slow@example.com')
    const kinds = slowBodies(token)
    const longest = await runSlowClients(kinds, CLIENTS, BODIES_GONE_MS)
    assert.equal(Object.keys(longest).length, kinds.length)
    for (const [kind, ms] of Object.entries(longest)) assert.ok(ms < BODIES_GONE_MS, `${kind}: ${ms.toFixed(0)} ms`)
  })

  test('a body over a slow network arrives, although it takes longer than a body may pause', async () => {
    const body = Buffer.from(JSON.stringify({ email: 'a@example.com', password: 'x', filler: 'x'.repeat(360_000) }))
    assert.equal(await sendSlowly(body, 8 * 1024), 400) // wrong password, and not 408
  })
})
