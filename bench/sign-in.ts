/**
 * Measures how long reads take while 8 clients sign in without pause, against the same reads alone, alternating within one
 * run. Reads come at an even pace, as from many people looking at their messages, and do not wait for each other.
 *
 * npm run bench -- sign-in [--seconds 5 --rounds 3]
 */
import { parseArgs } from 'node:util'
import { quantile } from './figures.ts'
import { createClient, PASSWORD, startDatabase, startMember } from './installation.ts'
import { encodeRequest, inTurn, type LoadResult, runLoad } from './load-generator.ts'

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '5' }, rounds: { type: 'string', default: '3' } },
})
const SECONDS = Number(values.seconds)
const ROUNDS = Number(values.rounds)
const CLIENTS = 8
const READERS = 16
const READS_PER_SECOND = 100
const MAX_P50_RATIO = 1.5
const MAX_P99_MS = 100

await using database = await startDatabase()
await using web = await startMember('web', database.env)
const { call, registerPlate, signUp } = createClient(web)

/** Creates a user with a vehicle and messages to read, and returns the user's token. */
async function createReader(): Promise<string> {
  const [{ token }, sender] = [await signUp('reader'), await signUp('sender')]
  await registerPlate(token, 'BENCH1')
  for (let n = 0; n < 20; n++)
    await call('POST', '/api/messages', sender.token, { plate: 'BENCH1', content: `Your lights are on, ${n}.` })
  return token
}

const emails: string[] = []
for (let n = 0; n < CLIENTS; n++) {
  await signUp(`client${n}`)
  emails.push(`client${n}@example.com`)
}
const token = await createReader()
const read = inTurn(
  ['/api/dashboard', '/api/messages?view=received', '/api/notifications', '/api/notifications/unread-count'].map(
    (path) => encodeRequest('GET', path, token),
  ),
)
const signIn = inTurn(
  emails.map((email) =>
    encodeRequest('POST', '/auth/v1/token?grant_type=password', null, { email, password: PASSWORD }),
  ),
)
const reads = (seconds: number) =>
  runLoad({ port: web.port, connections: READERS, seconds, request: read, perSecond: READS_PER_SECOND })
const floods = (seconds: number) => runLoad({ port: web.port, connections: CLIENTS, seconds, request: signIn })
await Promise.all([reads(2), floods(2)]) // warm up

const alone: LoadResult[] = []
const beside: LoadResult[] = []
const rates: number[] = []
for (let round = 0; round < ROUNDS; round++) {
  alone.push(await reads(SECONDS))
  const [reading, signing] = await Promise.all([reads(SECONDS), floods(SECONDS)])
  beside.push(reading)
  rates.push(signing.perSecond)
}
const p50 = (loads: LoadResult[]) => quantile(loads.map((load) => load.p50Ms))
const p99 = (loads: LoadResult[]) => quantile(loads.map((load) => load.p99Ms))
const ratio = quantile(beside.map((load, round) => load.p50Ms / alone[round]!.p50Ms))
process.stdout.write(
  `reads at ${READS_PER_SECOND}/s, ${ROUNDS} rounds of ${SECONDS} s, embedded PostgreSQL\n` +
    `  alone                 p50 ${p50(alone).toFixed(1)} ms, p99 ${p99(alone).toFixed(1)} ms\n` +
    `  beside ${CLIENTS} who sign in  p50 ${p50(beside).toFixed(1)} ms, p99 ${p99(beside).toFixed(1)} ms   aim: p99 under ${MAX_P99_MS} ms\n` +
    `  ratio of p50          ${ratio.toFixed(2)}   aim: at most ${MAX_P50_RATIO}\n` +
    `  sign-ins              ${quantile(rates).toFixed(0)}/s meanwhile\n`,
)
if (!(ratio <= MAX_P50_RATIO && p99(beside) < MAX_P99_MS)) process.exitCode = 1
