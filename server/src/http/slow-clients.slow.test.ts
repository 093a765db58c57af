import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { testApp } from '../test/app.ts'
import { runSlowClient, SLOW_HEADERS, type SlowClient, slowBodies } from '../test/slow-clients.ts'
import { SECOND_MS, withTimeout } from '../time.ts'

const CLIENTS = 300
const HEADERS_GONE_MS = 15 * SECOND_MS
const BODIES_GONE_MS = 45 * SECOND_MS

const app = await testApp({ settings: { ROLE: 'web' } })
const port = Number(new URL(app.url).port)

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
    const { token } = await app.user()
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
