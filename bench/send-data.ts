import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseDatabaseUrl } from '../server/src/db/database-url.ts'
import { newId } from '../server/src/db/ids.ts'
import { openPool, type Pool } from '../server/src/db/pool.ts'
import { createClient } from './http-client.ts'

const SENDERS = 64
export const PLATES = 200_000
const OWNERS = 20_000
const TEXT = 'Your lights are on and the window on the left is open a little.'

/** Fills a database with owners and their plates, and what the baseline needs. */
export async function seedPlates(url: string): Promise<void> {
  const db = openPool(url, 1, { statementTimeoutMs: 0 })
  await db.unsafe(readFileSync(join(import.meta.dirname, 'baseline.sql'), 'utf8'))
  await db`
    insert into auth.users (id, email, encrypted_password, email_confirmed_at)
    select ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'owner' || n || '@example.com', '-', now()
    from generate_series(1, ${OWNERS}::int) n`
  await db`
    insert into vehicles (id, user_id, plate, make, model, registration_year, province, status)
    select ('00000000-0000-7000-9000-' || lpad(to_hex(n), 12, '0'))::uuid,
      ('00000000-0000-7000-8000-' || lpad(to_hex(n % ${OWNERS}::int + 1), 12, '0'))::uuid,
      'B' || lpad(n::text, 6, '0'), 'Honda', 'Civic', 2020, 'Ontario', 'active'
    from generate_series(1, ${PLATES}::int) n`
  // only the tables that were filled: once vacuumed, an empty table is planned for as empty, which no installation has
  await db.unsafe('vacuum analyze auth.users, vehicles')
  await db.end()
}

/** Signs senders up, also those of the baseline. Returns their access tokens. */
export async function signUpSenders(port: number, db: Pool): Promise<string[]> {
  const { signUp } = createClient(port)
  const tokens: string[] = []
  for (let i = 0; i < SENDERS; i++) {
    const { id, token } = await signUp(`sender${i}`)
    tokens.push(token)
    await db`insert into bench_people (n, id) values (${i + 1}, ${id})`
  }
  return tokens
}

/** Returns a source of requests built in advance; only the idempotency key is written into each as it is sent. */
export function createSendRequests(port: number, tokens: string[]): () => Buffer {
  const requests = Array.from({ length: 4_000 }, () => {
    const plate = `B${String(1 + Math.floor(Math.random() * PLATES)).padStart(6, '0')}`
    const body = JSON.stringify({ plate, content: TEXT, reason: 'lights_on' })
    const token = tokens[Math.floor(Math.random() * tokens.length)]
    const head = `POST /api/messages HTTP/1.1\r\nhost: localhost:${port}\r\nidempotency-key: `
    const rest = `\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`
    return { bytes: Buffer.from(head + newId() + rest + body), keyAt: head.length }
  })
  let nextIndex = 0
  return () => {
    const { bytes, keyAt } = requests[nextIndex++ % requests.length]!
    bytes.write(newId(), keyAt, 'latin1')
    return bytes
  }
}

/** Returns the transactions a second of the baseline: by pgbench, or through the driver where that is missing. */
export async function measureBaseline(
  url: string,
  db: Pool,
  connections: number,
  seconds: number,
): Promise<{ rate: number; by: string }> {
  const { host, port, user, database } = parseDatabaseUrl(url)
  const script = `\\set s random(1, ${SENDERS})\n\\set p random(1, ${PLATES})\nselect bench_send(:s, :p);\n`
  const args = ['-n', '-M', 'prepared', '-c', String(connections), '-j', '2', '-T', String(seconds), '-f', '-']
  const done = spawnSync('pgbench', [...args, '-h', host, '-p', String(port), '-U', user, database], {
    input: script,
    encoding: 'utf8',
  })
  const tps = /tps = ([\d.]+) \(without/.exec(done.stdout ?? '')?.[1]
  if (tps) return { rate: Number(tps), by: 'pgbench' }
  if (done.error === undefined) throw new Error(`pgbench: ${done.stderr}`)

  const random = (max: number) => 1 + Math.floor(Math.random() * max)
  const until = performance.now() + seconds * 1000
  let count = 0
  const worker = async () => {
    while (performance.now() < until) {
      await db`select bench_send(${random(SENDERS)}, ${random(PLATES)})`
      count++
    }
  }
  await Promise.all(Array.from({ length: connections }, worker))
  return { rate: count / seconds, by: 'the driver' }
}
