/**
 * Measures sends per second through HTTP, with every check of the product, against the same writes by pgbench on the same
 * PostgreSQL in the same run: once on an installed PostgreSQL, once on the embedded default. A busy installation runs the
 * mail worker in another process, so the server measured here is ROLE=web.
 *
 * npm run bench [-- --seconds 5 --rounds 3]
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { parseDatabaseUrl } from '../server/src/db/database-url.ts'
import { newId } from '../server/src/db/ids.ts'
import { openPool, type Pool } from '../server/src/db/pool.ts'
import { startEmbeddedForBench } from './embedded-postgres.ts'
import { createClient } from './http-client.ts'
import { startInstalledPostgres } from './installed-postgres.ts'
import { runLoad } from './load-generator.ts'
import { cpuSeconds, median, startForBench } from './product.ts'

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '5' }, rounds: { type: 'string', default: '3' } },
})
const SECONDS = Number(values.seconds)
const ROUNDS = Number(values.rounds)
const CONNECTIONS = 32
const SENDERS = 64
const OWNERS = 20_000
const PLATES = 200_000
const PORT = 39_417
const TEXT = 'Your lights are on and the window on the left is open a little.'

async function seed(url: string) {
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

async function signUpSenders(db: Pool): Promise<string[]> {
  const { signUp } = createClient(PORT)
  const tokens: string[] = []
  for (let i = 0; i < SENDERS; i++) {
    const { id, token } = await signUp(`sender${i}`)
    tokens.push(token)
    await db`insert into bench_people (n, id) values (${i + 1}, ${id})`
  }
  return tokens
}

/** Returns a source of requests built in advance; only the idempotency key is written into each as it is sent. */
function requestGenerator(tokens: string[]) {
  const requests = Array.from({ length: 4_000 }, () => {
    const plate = `B${String(1 + Math.floor(Math.random() * PLATES)).padStart(6, '0')}`
    const body = JSON.stringify({ plate, content: TEXT, reason: 'lights_on' })
    const token = tokens[Math.floor(Math.random() * tokens.length)]
    const head = `POST /api/messages HTTP/1.1\r\nhost: localhost:${PORT}\r\nidempotency-key: `
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
async function measureBaseline(url: string, db: Pool): Promise<{ rate: number; by: string }> {
  const { host, port, user, database } = parseDatabaseUrl(url)
  const script = `\\set s random(1, ${SENDERS})\n\\set p random(1, ${PLATES})\nselect bench_send(:s, :p);\n`
  const args = ['-n', '-M', 'prepared', '-c', String(CONNECTIONS), '-j', '2', '-T', String(SECONDS), '-f', '-']
  const done = spawnSync('pgbench', [...args, '-h', host, '-p', String(port), '-U', user, database], {
    input: script,
    encoding: 'utf8',
  })
  const tps = /tps = ([\d.]+) \(without/.exec(done.stdout ?? '')?.[1]
  if (tps) return { rate: Number(tps), by: 'pgbench' }
  if (done.error === undefined) throw new Error(`pgbench: ${done.stderr}`)

  const random = (max: number) => 1 + Math.floor(Math.random() * max)
  const until = performance.now() + SECONDS * 1000
  let count = 0
  const worker = async () => {
    while (performance.now() < until) {
      await db`select bench_send(${random(SENDERS)}, ${random(PLATES)})`
      count++
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, worker))
  return { rate: count / SECONDS, by: 'the driver' }
}

async function measure(name: string, url: string) {
  const dataDir = mkdtempSync(join(tmpdir(), 'platenote-bench-'))
  const product = await startForBench({ url, dataDir, port: PORT, role: 'web' })
  const db = openPool(url, CONNECTIONS)
  try {
    await seed(url)
    const request = requestGenerator(await signUpSenders(db))
    await runLoad({ host: '127.0.0.1', port: PORT }, CONNECTIONS, 2, request, 201) // warm up
    const rates: number[] = []
    const bases: number[] = []
    const ratios: number[] = []
    const p50: number[] = []
    const p99: number[] = []
    const cpu: number[] = []
    let by = ''
    for (let round = 0; round < ROUNDS; round++) {
      const base = await measureBaseline(url, db)
      by = base.by
      const before = cpuSeconds(product.pid)
      const load = await runLoad({ host: '127.0.0.1', port: PORT }, CONNECTIONS, SECONDS, request, 201)
      if (load.unexpected.length > 0) throw new Error(`refused sends: ${load.unexpected.join(' | ')}`)
      const rate = load.requests / load.seconds
      rates.push(rate)
      bases.push(base.rate)
      ratios.push(rate / base.rate)
      p50.push(load.p50Ms)
      p99.push(load.p99Ms)
      cpu.push(((cpuSeconds(product.pid) - before) * 1000) / load.requests)
    }
    const list = (numbers: number[], digits: number) => numbers.map((n) => n.toFixed(digits)).join(', ')
    process.stdout.write(
      `${name}, ${CONNECTIONS} connections, ${ROUNDS} rounds of ${SECONDS} s, ${PLATES} vehicles\n` +
        `  sends/s through HTTP        ${median(rates).toFixed(0)}   (${list(rates, 0)})\n` +
        `  transactions/s by ${by.padEnd(10)} ${median(bases).toFixed(0)}   (${list(bases, 0)})\n` +
        `  ratio                       ${median(ratios).toFixed(2)}   (${list(ratios, 2)})   aim: at least 0.90\n` +
        `  latency p50 / p99           ${median(p50).toFixed(1)} / ${median(p99).toFixed(1)} ms   aim: p99 under 25 ms\n` +
        `  processor per send, server  ${median(cpu).toFixed(3)} ms   (${list(cpu, 3)})   aim: at most 0.250 ms\n`,
    )
  } finally {
    await db.end()
    await product.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

const installed = startInstalledPostgres()
if (installed) {
  try {
    await measure(installed.name, installed.url)
  } finally {
    installed.stop()
  }
} else process.stdout.write('No installed PostgreSQL was found; only the embedded default is measured.\n')

const embedded = await startEmbeddedForBench()
try {
  await measure('embedded PostgreSQL', embedded.url)
} finally {
  await embedded.stop()
}
