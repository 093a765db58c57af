/**
 * Measures how long reads take while 8 clients sign in without pause, against the same reads alone, alternating within one
 * run. Reads come at an even pace, as from many people looking at their messages, and do not wait for each other.
 *
 * npm run bench -- sign-in [--seconds 5 --rounds 3]
 */
import { parseArgs } from 'node:util'
import { startEmbeddedForBench } from './embedded-postgres.ts'
import { createClient, PASSWORD } from './http-client.ts'
import { type LoadResult, runLoad } from './load-generator.ts'
import { encodeRequest, median, startForBench } from './product.ts'

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '5' }, rounds: { type: 'string', default: '3' } },
})
const SECONDS = Number(values.seconds)
const ROUNDS = Number(values.rounds)
const CLIENTS = 8
const READERS = 16
const READS_PER_SECOND = 100
const PORT = 39_418
const TARGET = { host: '127.0.0.1', port: PORT }
const MAX_P50_RATIO = 1.5
const MAX_P99_MS = 100

const { post, registerPlate, signUp } = createClient(PORT)

/** Creates a user with a vehicle and messages to read, and returns the user's token. */
async function createReader(): Promise<string> {
  const [{ token }, sender] = [await signUp('reader'), await signUp('sender')]
  await registerPlate(token, 'BENCH1')
  for (let n = 0; n < 20; n++)
    await post('/api/messages', sender.token, { plate: 'BENCH1', content: `Your lights are on, ${n}.` })
  return token
}

function readRequests(token: string) {
  const paths = [
    '/api/dashboard',
    '/api/messages?view=received',
    '/api/notifications',
    '/api/notifications/unread-count',
  ]
  const requests = paths.map((path) => encodeRequest(PORT, 'GET', path, token))
  let nextIndex = 0
  return () => requests[nextIndex++ % requests.length]!
}

function signInRequests() {
  const requests = Array.from({ length: CLIENTS }, (_, n) =>
    encodeRequest(PORT, 'POST', '/auth/v1/token?grant_type=password', null, {
      email: `client${n}@example.com`,
      password: PASSWORD,
    }),
  )
  let nextIndex = 0
  return () => requests[nextIndex++ % requests.length]!
}

const assertNoErrors = (what: string, load: LoadResult): LoadResult => {
  if (load.unexpected.length > 0) throw new Error(`refused ${what}: ${load.unexpected.join(' | ')}`)
  return load
}

const postgres = await startEmbeddedForBench()
const product = await startForBench({ ...postgres, port: PORT, role: 'web' })
try {
  for (let n = 0; n < CLIENTS; n++) await signUp(`client${n}`)
  const read = readRequests(await createReader())
  const signIn = signInRequests()
  const reads = (seconds: number) => runLoad(TARGET, READERS, seconds, read, 200, READS_PER_SECOND)
  const floods = (seconds: number) => runLoad(TARGET, CLIENTS, seconds, signIn, 200)
  await Promise.all([reads(2), floods(2)]) // warm up

  const alone: LoadResult[] = []
  const beside: LoadResult[] = []
  const rates: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    alone.push(assertNoErrors('reads', await reads(SECONDS)))
    const [reading, signing] = await Promise.all([reads(SECONDS), floods(SECONDS)])
    beside.push(assertNoErrors('reads', reading))
    rates.push(assertNoErrors('sign-ins', signing).requests / signing.seconds)
  }
  const p50 = (loads: LoadResult[]) => median(loads.map((load) => load.p50Ms))
  const p99 = (loads: LoadResult[]) => median(loads.map((load) => load.p99Ms))
  const ratio = median(beside.map((load, round) => load.p50Ms / alone[round]!.p50Ms))
  process.stdout.write(
    `reads at ${READS_PER_SECOND}/s, ${ROUNDS} rounds of ${SECONDS} s, embedded PostgreSQL\n` +
      `  alone                 p50 ${p50(alone).toFixed(1)} ms, p99 ${p99(alone).toFixed(1)} ms\n` +
      `  beside ${CLIENTS} who sign in  p50 ${p50(beside).toFixed(1)} ms, p99 ${p99(beside).toFixed(1)} ms   aim: p99 under ${MAX_P99_MS} ms\n` +
      `  ratio of p50          ${ratio.toFixed(2)}   aim: at most ${MAX_P50_RATIO}\n` +
      `  sign-ins              ${median(rates).toFixed(0)}/s meanwhile\n`,
  )
  if (!(ratio <= MAX_P50_RATIO && p99(beside) < MAX_P99_MS)) process.exitCode = 1
} finally {
  await product.stop()
  await postgres.stop()
}
