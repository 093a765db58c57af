/**
 * Measures how long reads take while 300 clients dribble headers and bodies, and come back whenever the server ends
 * them, against the same alone, alternating within one run.
 *
 * npm run bench:slow-clients [-- --seconds 5 --rounds 5]
 */
import { parseArgs } from 'node:util'
import { startEmbeddedForBench } from './embedded-postgres.ts'
import { createClient } from './http-client.ts'
import { type LoadResult, runLoad } from './load-generator.ts'
import { encodeRequest, median, startForBench } from './product.ts'
import { startSlowClients } from './start-slow-clients.ts'

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '5' }, rounds: { type: 'string', default: '5' } },
})
const SECONDS = Number(values.seconds)
const ROUNDS = Number(values.rounds)
const SLOW_CLIENTS = 300
const READERS = 16
const READS_PER_SECOND = 100
const PORT = 39_421
const TARGET = { host: '127.0.0.1', port: PORT }
const MAX_RATIO = 2

async function measureReads(request: () => Buffer): Promise<LoadResult> {
  const load = await runLoad(TARGET, READERS, SECONDS, request, 200, READS_PER_SECOND)
  if (load.unexpected.length > 0) throw new Error(`refused reads: ${load.unexpected.join(' | ')}`)
  return load
}

const embedded = await startEmbeddedForBench()
const product = await startForBench({ url: embedded.url, dataDir: embedded.dataDir, port: PORT, role: 'web' })
try {
  const { post, registerPlate, signUp } = createClient(PORT)
  const [{ token }, sender] = [await signUp('reader'), await signUp('sender')]
  await registerPlate(token, 'BENCH1')
  for (let n = 0; n < 20; n++)
    await post('/api/messages', sender.token, { plate: 'BENCH1', content: `Your lights are on, ${n}.` })
  const requests = ['/api/dashboard', '/api/messages?view=received', '/api/notifications'].map((path) =>
    encodeRequest(PORT, 'GET', path, token),
  )
  let next = 0
  const request = () => requests[next++ % requests.length]!

  await measureReads(request) // warm up
  const alone: LoadResult[] = []
  const beside: LoadResult[] = []
  for (let round = 0; round < ROUNDS; round++) {
    alone.push(await measureReads(request))
    const endSlowClients = await startSlowClients(PORT, SLOW_CLIENTS, sender.token)
    beside.push(await measureReads(request))
    await endSlowClients()
  }
  const p99 = (loads: LoadResult[]) => median(loads.map(({ p99Ms }) => p99Ms))
  const p50 = (loads: LoadResult[]) => median(loads.map(({ p50Ms }) => p50Ms))
  const ratio = p99(beside) / p99(alone)
  const list = (loads: LoadResult[]) => loads.map(({ p99Ms }) => p99Ms.toFixed(1)).join(', ')
  process.stdout.write(
    `reads, ${READS_PER_SECOND} a second over ${READERS} connections, ${ROUNDS} rounds of ${SECONDS} s\n` +
      `  alone, p50 / p99                        ${p50(alone).toFixed(1)} / ${p99(alone).toFixed(1)} ms   (p99: ${list(alone)})\n` +
      `  beside ${SLOW_CLIENTS} slow clients, p50 / p99      ${p50(beside).toFixed(1)} / ${p99(beside).toFixed(1)} ms   (p99: ${list(beside)})\n` +
      `  ratio of the p99                        ${ratio.toFixed(2)}   limit: under ${MAX_RATIO}\n`,
  )
  if (ratio >= MAX_RATIO) process.exitCode = 1
} finally {
  await product.stop()
  await embedded.stop()
}
