/**
 * Measures the lists people look at, through HTTP, against the statements behind them on the same PostgreSQL, alternating
 * within one run: through the driver alone, and through a bare server of Node that authenticates nobody and decrypts nothing.
 * The first shows what the database can do, the second what HTTP leaves of it.
 *
 * npm run bench -- lists [--seconds 3 --rounds 3]
 */
import { parseArgs } from 'node:util'
import { openPool } from '../server/src/db/pool.ts'
import { startBareServer } from './bare-server.ts'
import { startEmbeddedForBench } from './embedded-postgres.ts'
import { type BenchUser, createClient } from './http-client.ts'
import { listCases } from './list-cases.ts'
import { runLoad } from './load-generator.ts'
import { encodeRequest, median, startForBench } from './product.ts'

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '3' }, rounds: { type: 'string', default: '3' } },
})
const SECONDS = Number(values.seconds)
const ROUNDS = Number(values.rounds)
const CONNECTIONS = 8
const PORT = 39_421
const BARE_PORT = 39_422
const SIZES = [20, 20_000]

/** Returns the median of ratios, with the lowest and the highest. */
const spread = (ratios: number[]) =>
  `${median(ratios).toFixed(2)} (${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)})`

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

const postgres = await startEmbeddedForBench()
const product = await startForBench({ ...postgres, port: PORT, role: 'web' })
const stopBare = await startBareServer('bare-list-server.ts', postgres.url, BARE_PORT, CONNECTIONS)
const db = openPool(postgres.url, CONNECTIONS)

/** Returns how many times a second a request is served on a port, and its 99th percentile in milliseconds. */
async function measureHttp(port: number, request: Buffer, seconds = SECONDS): Promise<{ rate: number; p99Ms: number }> {
  const load = await runLoad({ host: '127.0.0.1', port }, CONNECTIONS, seconds, () => request, 200)
  if (load.unexpected.length > 0) throw new Error(`refused: ${load.unexpected.join(' | ')}`)
  return { rate: load.requests / load.seconds, p99Ms: load.p99Ms }
}

try {
  const sender = await signUp('sender')
  process.stdout.write(`${CONNECTIONS} connections, ${ROUNDS} rounds of ${SECONDS} s, embedded PostgreSQL\n`)
  for (const size of SIZES) {
    const reader = await createReader(size, sender)
    await db.unsafe('vacuum analyze messages, notifications')
    for (const { path, read } of listCases(db, reader.id)) {
      const request = encodeRequest(PORT, 'GET', path, reader.token)
      const bareRequest = encodeRequest(BARE_PORT, 'GET', `/${reader.id}${path}`, null)
      await measureHttp(PORT, request, 1) // warm up
      await measureHttp(BARE_PORT, bareRequest, 1)
      const rates: number[] = []
      const p99: number[] = []
      const ofStatement: number[] = []
      const ofBare: number[] = []
      const bareOfStatement: number[] = []
      for (let round = 0; round < ROUNDS; round++) {
        const statement = await measureBaseline(read)
        const bare = await measureHttp(BARE_PORT, bareRequest)
        const own = await measureHttp(PORT, request)
        rates.push(own.rate)
        p99.push(own.p99Ms)
        ofStatement.push(own.rate / statement)
        ofBare.push(own.rate / bare.rate)
        bareOfStatement.push(bare.rate / statement)
      }
      process.stdout.write(
        `  ${path.padEnd(33)} of ${String(size).padStart(6)}: ${median(rates).toFixed(0).padStart(5)}/s, p99 ` +
          `${median(p99).toFixed(1)} ms, ${spread(ofStatement)} of the statement alone, ${spread(ofBare)} of the bare server, ` +
          `which reaches ${spread(bareOfStatement)} of the statement\n`,
      )
    }
  }
} finally {
  await db.end()
  await stopBare()
  await product.stop()
  await postgres.stop()
}
