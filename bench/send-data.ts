import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseDatabaseUrl } from '../server/src/db/database-url.ts'
import { newId } from '../server/src/db/ids.ts'
import type { Pool } from '../server/src/db/pool.ts'
import { createClient, type Member, plateOf, seedOwners } from './installation.ts'
import { encodeRequest, inTurn, measureRate } from './load-generator.ts'

const SENDERS = 64
export const PLATES = 200_000
const OWNERS = 20_000
const CONTENT = 'Your lights are on and the window on the left is open a little.'
const REQUESTS = 4_000

const random = (max: number) => 1 + Math.floor(Math.random() * max)

/** Fills a database with owners, their plates and senders, and what the baseline needs. Returns the senders' access tokens. */
export async function seedSends(db: Pool, web: Member): Promise<string[]> {
  await db.unsafe(readFileSync(join(import.meta.dirname, 'baseline.sql'), 'utf8'))
  await seedOwners(db, OWNERS, PLATES)
  const { signUp } = createClient(web)
  const tokens: string[] = []
  for (let i = 0; i < SENDERS; i++) {
    const { id, token } = await signUp(`sender${i}`)
    tokens.push(token)
    await db`insert into bench_people (n, id) values (${i + 1}, ${id})`
  }
  return tokens
}

/** Returns a source of requests built in advance; only the idempotency key is written into each as it is sent. */
export function createSendRequests(tokens: string[]): () => Buffer {
  const next = inTurn(
    Array.from({ length: REQUESTS }, (_, i) => {
      const [plate, key] = [plateOf(random(PLATES)), newId()]
      const message = { plate, content: CONTENT, reason: 'lights_on' }
      const bytes = encodeRequest('POST', '/api/messages', tokens[i % tokens.length]!, message, key)
      return { bytes, keyAt: bytes.indexOf(key) }
    }),
  )
  return () => {
    const { bytes, keyAt } = next()
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
  const send = () => db`select bench_send(${random(SENDERS)}, ${random(PLATES)})`
  return { rate: await measureRate(connections, seconds, send), by: 'the driver' }
}
