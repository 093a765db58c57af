/**
 * How long reads take while 8 clients sign in without pause, beside the same reads alone, in one run and taking turns.
 * Reads come at an even pace, as from many people who look at their messages, and are not held up by each other.
 *
 * npm run bench:sign-in [-- --seconds 5 --rounds 3]
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { formatDatabaseUrl } from '../server/src/db/database-url.ts'
import { startEmbedded } from '../server/src/postgres/embedded-server.ts'
import { type LoadResult, runLoad } from './load-generator.ts'
import { encodeRequest, median, startProduct } from './product-process.ts'

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '5' }, rounds: { type: 'string', default: '3' } },
})
const SECONDS = Number(values.seconds)
const ROUNDS = Number(values.rounds)
const CLIENTS = 8
const READERS = 16
const READS_PER_SECOND = 100
const PORT = 39_418
const PASSWORD = 'Correct-horse-7'
const TARGET = { host: '127.0.0.1', port: PORT }
const MAX_P50_RATIO = 2
const MAX_P99_MS = 150

async function signUp(email: string): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${PORT}/auth/v1/signup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: PASSWORD, data: { full_name: 'Sam' } }),
  })
  if (answer.status !== 200) throw new Error(`sign-up answered ${answer.status}`)
  return ((await answer.json()) as { access_token: string }).access_token
}

/** A person with a vehicle and messages to read. */
async function createReader(): Promise<string> {
  const [token, sender] = [await signUp('reader@example.com'), await signUp('sender@example.com')]
  const post = async (path: string, bearer: string, body: unknown) => {
    const answer = await fetch(`http://127.0.0.1:${PORT}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
  }
  const vehicle = { plate: 'BENCH1', make: 'Honda', model: 'Civic', registration_year: 2020, province: 'Ontario' }
  await post('/register-plate', token, vehicle)
  for (let n = 0; n < 20; n++)
    await post('/api/messages', sender, { plate: 'BENCH1', content: `Your lights are on, ${n}.` })
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
  let turn = 0
  return () => requests[turn++ % requests.length]!
}

function signInRequests() {
  const requests = Array.from({ length: CLIENTS }, (_, n) =>
    encodeRequest(PORT, 'POST', '/auth/v1/token?grant_type=password', null, {
      email: `client${n}@example.com`,
      password: PASSWORD,
    }),
  )
  let turn = 0
  return () => requests[turn++ % requests.length]!
}

const assertNoErrors = (what: string, load: LoadResult): LoadResult => {
  if (load.unexpected.length > 0) throw new Error(`refused ${what}: ${load.unexpected.join(' | ')}`)
  return load
}

const folder = mkdtempSync(join(tmpdir(), 'platenote-bench-sign-in-'))
chmodSync(folder, 0o755) // as root PostgreSQL runs under another account and must pass
const embedded = await startEmbedded(join(folder, 'postgres'))
const product = await startProduct({
  url: formatDatabaseUrl(embedded.connection),
  dataDir: join(folder, 'data'),
  port: PORT,
  role: 'web',
})
try {
  for (let n = 0; n < CLIENTS; n++) await signUp(`client${n}@example.com`)
  const read = readRequests(await createReader())
  const signIn = signInRequests()
  const reads = (seconds: number) => runLoad(TARGET, READERS, seconds, read, 200, READS_PER_SECOND)
  const floods = (seconds: number) => runLoad(TARGET, CLIENTS, seconds, signIn, 200)
  await Promise.all([reads(2), floods(2)]) // warm

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
  await embedded.stop()
  rmSync(folder, { recursive: true, force: true })
}
