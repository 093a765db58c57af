/**
 * Measures the lists people look at, through HTTP, against the statements behind them through the driver on the same
 * PostgreSQL, alternating within one run: for a user with 20 messages and one with 20,000.
 *
 * npm run bench:lists [-- --seconds 3 --rounds 3]
 */
import { parseArgs } from 'node:util'
import { openPool, type Pool } from '../server/src/db/pool.ts'
import { listReceived } from '../server/src/messages/queries.ts'
import { countUnread, listNotifications } from '../server/src/notifications/queries.ts'
import { startEmbeddedForBench } from './embedded-postgres.ts'
import { type BenchUser, createClient } from './http-client.ts'
import { runLoad } from './load-generator.ts'
import { encodeRequest, median, startForBench } from './product.ts'

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '3' }, rounds: { type: 'string', default: '3' } },
})
const SECONDS = Number(values.seconds)
const ROUNDS = Number(values.rounds)
const CONNECTIONS = 8
const PORT = 39_421
const TARGET = { host: '127.0.0.1', port: PORT }
const PAGE_SIZE = 20
const SIZES = [20, 20_000]

const { post, registerPlate, signUp } = createClient(PORT)

/** Creates a user who has received this many messages, each sent through the product. */
async function createReader(messages: number, sender: BenchUser): Promise<BenchUser> {
  const reader = await signUp(`reader${messages}`)
  const plate = `R${messages}`
  await registerPlate(reader.token, plate)
  let left = messages
  const send = async () => {
    while (left-- > 0) await post('/api/messages', sender.token, { plate, content: 'Your lights are on.' })
  }
  await Promise.all(Array.from({ length: 32 }, send))
  return reader
}

/** Returns how many times a second `read` runs, with as many at once as there are connections. */
async function measureBaseline(read: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  const until = started + SECONDS * 1000
  let count = 0
  const worker = async () => {
    while (performance.now() < until) {
      await read()
      count++
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, worker))
  return (count * 1000) / (performance.now() - started)
}

const listCases = (db: Pool, { id }: BenchUser): [path: string, read: () => Promise<unknown>][] => [
  ['/api/messages?view=received', () => listReceived(db, id, null, PAGE_SIZE + 1)],
  ['/api/notifications', () => listNotifications(db, id, null, PAGE_SIZE + 1)],
  ['/api/notifications/unread-count', () => countUnread(db, id)],
]

const postgres = await startEmbeddedForBench()
const product = await startForBench({ ...postgres, port: PORT, role: 'web' })
const db = openPool(postgres.url, CONNECTIONS)
try {
  const sender = await signUp('sender')
  process.stdout.write(`${CONNECTIONS} connections, ${ROUNDS} rounds of ${SECONDS} s, embedded PostgreSQL\n`)
  for (const size of SIZES) {
    const reader = await createReader(size, sender)
    await db.unsafe('vacuum analyze messages, notifications')
    for (const [path, read] of listCases(db, reader)) {
      const request = encodeRequest(PORT, 'GET', path, reader.token)
      await runLoad(TARGET, CONNECTIONS, 1, () => request, 200) // warm up
      const rates: number[] = []
      const ratios: number[] = []
      const p99: number[] = []
      for (let round = 0; round < ROUNDS; round++) {
        const base = await measureBaseline(read)
        const load = await runLoad(TARGET, CONNECTIONS, SECONDS, () => request, 200)
        if (load.unexpected.length > 0) throw new Error(`refused: ${load.unexpected.join(' | ')}`)
        rates.push(load.requests / load.seconds)
        ratios.push(load.requests / load.seconds / base)
        p99.push(load.p99Ms)
      }
      process.stdout.write(
        `  ${path.padEnd(33)} of ${String(size).padStart(6)}: ${median(rates).toFixed(0).padStart(5)}/s, p99 ` +
          `${median(p99).toFixed(1)} ms, ${median(ratios).toFixed(2)} of the statement alone\n`,
      )
    }
  }
} finally {
  await db.end()
  await product.stop()
  await postgres.stop()
}
