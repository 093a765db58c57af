/**
 * Measures the lists people look at, through HTTP, against the statements behind them on the same PostgreSQL, alternating
 * within one run: through the driver alone, and through a bare server of Node that authenticates nobody and decrypts nothing.
 * The first shows what the database can do, the second what HTTP leaves of it.
 *
 * npm run bench -- lists [--seconds 3 --rounds 3]
 */
import { parseArgs } from 'node:util'
import { listCases, startBareServer } from './bare-server.ts'
import { quantile } from './figures.ts'
import { type BenchUser, createClient, openDatabase, startDatabase, startMember } from './installation.ts'
import { encodeRequest, measureRate, runLoad } from './load-generator.ts'

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '3' }, rounds: { type: 'string', default: '3' } },
})
const SECONDS = Number(values.seconds)
const ROUNDS = Number(values.rounds)
const CONNECTIONS = 8
const SIZES = [20, 20_000]

/** Returns the median of ratios, with the lowest and the highest. */
const spread = (ratios: number[]) =>
  `${quantile(ratios).toFixed(2)} (${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)})`

await using database = await startDatabase()
await using web = await startMember('web', database.env)
await using bare = await startBareServer('lists', database.url, CONNECTIONS)
await using db = openDatabase(database.url, CONNECTIONS)
const { call, registerPlate, signUp } = createClient(web)

/** Creates a user who has received this many messages, each sent through the product. */
async function createReader(messages: number, sender: BenchUser): Promise<BenchUser> {
  const reader = await signUp(`reader${messages}`)
  const plate = `R${messages}`
  await registerPlate(reader.token, plate)
  let left = messages
  const send = async () => {
    while (left-- > 0) await call('POST', '/api/messages', sender.token, { plate, content: 'Your lights are on.' })
  }
  await Promise.all(Array.from({ length: 32 }, send))
  return reader
}

const sender = await signUp('sender')
process.stdout.write(`${CONNECTIONS} connections, ${ROUNDS} rounds of ${SECONDS} s, embedded PostgreSQL\n`)
for (const size of SIZES) {
  const reader = await createReader(size, sender)
  await db.unsafe('vacuum analyze messages, notifications')
  for (const [path, read] of listCases(db, reader.id)) {
    const [request, bareRequest] = [
      encodeRequest('GET', path, reader.token),
      encodeRequest('GET', `/${reader.id}${path}`, null),
    ]
    const measureOwn = (seconds: number) =>
      runLoad({ port: web.port, connections: CONNECTIONS, seconds, request: () => request })
    const measureBare = (seconds: number) =>
      runLoad({ port: bare.port, connections: CONNECTIONS, seconds, request: () => bareRequest })
    await measureOwn(1) // warm up
    await measureBare(1)
    const rounds: { own: number; p99Ms: number; bare: number; statement: number }[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const statement = await measureRate(CONNECTIONS, SECONDS, read)
      const ofBare = await measureBare(SECONDS)
      const own = await measureOwn(SECONDS)
      rounds.push({ own: own.perSecond, p99Ms: own.p99Ms, bare: ofBare.perSecond, statement })
    }
    process.stdout.write(
      `  ${path.padEnd(33)} of ${String(size).padStart(6)}: ${quantile(rounds.map(({ own }) => own))
        .toFixed(0)
        .padStart(5)}/s, p99 ` +
        `${quantile(rounds.map(({ p99Ms }) => p99Ms)).toFixed(1)} ms, ${spread(rounds.map((one) => one.own / one.statement))} of the ` +
        `statement alone, ${spread(rounds.map((one) => one.own / one.bare))} of the bare server, ` +
        `which reaches ${spread(rounds.map((one) => one.bare / one.statement))} of the statement\n`,
    )
  }
}
