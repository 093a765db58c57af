/**
 * Checks that the lists for admins and the lookup of a plate cost the same with a million vehicles as with ten thousand:
 * a PostgreSQL and a server for each, and every request sent to both alternately. Exits with 1 when a median
 * with the large one is more than half again the median with the small one, three times in a row, or when a search that
 * reads every row takes too long. Then measures how many lists with all four filters are served in a second, and how many
 * the statement alone allows.
 *
 * npm run bench -- admin [--small 10000 --large 1000000 --calls 200]
 */
import { parseArgs } from 'node:util'
import { listNewestVehicles, runCustomPlanned } from '../server/src/admin/lists.ts'
import { MAX_UUID } from '../server/src/db/pagination.ts'
import { openPool } from '../server/src/db/pool.ts'
import { fillDatabase } from './admin-data.ts'
import {
  type AdminRequest,
  allFourFilters,
  type BenchmarkCase,
  type BenchmarkData,
  LIST_CASES,
  PLATE_CASES,
  STATS_CASE,
} from './admin-requests.ts'
import { quantile } from './figures.ts'
import { createClient, openDatabase, startDatabase, startMember } from './installation.ts'
import { encodeRequest, inTurn, measureRate, runLoad } from './load-generator.ts'

const { values } = parseArgs({
  options: {
    small: { type: 'string', default: '10000' },
    large: { type: 'string', default: '1000000' },
    calls: { type: 'string', default: '200' },
  },
})
const SIZES = { small: Number(values.small), large: Number(values.large) }
const CALLS = Number(values.calls)
const WARM_UP_CALLS = 20
const MAX_RATIO = 1.5
const MAX_STATS_MS = 1_000
const MAX_EVERY_ROW_MS = 1_000
const LOAD_CONNECTIONS = 8
const LOAD_SECONDS = 3
const LOAD_ROUNDS = 5
const PAGE_SIZE = 20
const MAX_PAGE_SIZE = 100
const OWN_PLATE = 'OWNBENCH'

await using started = new AsyncDisposableStack()

/** A filled installation and how to time a request to it as an admin. */
type Installation = {
  url: string
  port: number
  token: string
  data: BenchmarkData
  time(call: AdminRequest): Promise<number>
}

async function startInstallation(vehicles: number): Promise<Installation> {
  const database = started.use(await startDatabase())
  const web = started.use(await startMember('web', database.env))
  await using db = openDatabase(database.url, 1)
  const began = performance.now()
  const samples = await fillDatabase(db, vehicles)
  process.stdout.write(`${vehicles} vehicles made in ${((performance.now() - began) / 1000).toFixed(0)} s\n`)

  const { call, signUp, registerPlate } = createClient(web)
  const { id, token } = await signUp('admin')
  await db`update auth.users set is_admin = true where id = ${id}`
  await registerPlate(token, OWN_PLATE)
  let page500 = ''
  for (let left = PAGE_SIZE * 499; left > 0; left -= MAX_PAGE_SIZE) {
    const query = `limit=${Math.min(left, MAX_PAGE_SIZE)}${page500 && `&cursor=${page500}`}`
    const page = await call('GET', `/api/admin/vehicles?${query}`, token)
    page500 = (page as { next: string | null }).next ?? page500
  }
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  return {
    url: database.url,
    port: web.port,
    token,
    data: { samples, page500, ownPlate: OWN_PLATE },
    async time({ method, path, body, status }) {
      const before = performance.now()
      const sent = body === undefined ? {} : { body: JSON.stringify(body) }
      const response = await fetch(web.url + path, { method, headers, ...sent })
      const text = await response.text()
      if (response.status !== status) throw new Error(`${path} responded ${response.status}: ${text}`)
      return performance.now() - before
    },
  }
}

type Times = { small: number[]; large: number[] }

/** Sends each request to both; which one goes first alternates, so that neither always finds the processor as the other left it. */
async function compare({ makeRequest }: BenchmarkCase, small: Installation, large: Installation, calls: number) {
  const times: Times = { small: [], large: [] }
  for (let n = 0; n < WARM_UP_CALLS + calls; n++) {
    for (const which of n % 2 === 0 ? (['small', 'large'] as const) : (['large', 'small'] as const)) {
      const side = which === 'small' ? small : large
      const ms = await side.time(makeRequest(n, side.data))
      if (n >= WARM_UP_CALLS) times[which].push(ms)
    }
  }
  return times
}

const ratioOf = ({ small, large }: Times) => quantile(large) / quantile(small)
const formatMs = (time: number) => time.toFixed(2).padStart(8)

/** Prints how many lists with all four filters are served in a second, and their part of what the statement allows. */
async function measureThroughput({ url, port, token }: Installation): Promise<void> {
  const request = inTurn(
    Array.from({ length: 10 }, (_, n) => {
      const query = new URLSearchParams(allFourFilters(n)).toString()
      return encodeRequest('GET', `/api/admin/vehicles?${query}`, token)
    }),
  )
  const db = openPool(url, LOAD_CONNECTIONS)
  started.defer(() => db.end())
  const filters = inTurn(Array.from({ length: 10 }, (_, n) => allFourFilters(n)))
  const read = () => runCustomPlanned(db, (tx) => listNewestVehicles(tx, MAX_UUID, filters(), PAGE_SIZE + 1))
  const [served, statement]: [number[], number[]] = [[], []]
  for (let round = 0; round < LOAD_ROUNDS; round++) {
    const load = await runLoad({ port, connections: LOAD_CONNECTIONS, seconds: LOAD_SECONDS, request })
    served.push(load.perSecond)
    statement.push(await measureRate(LOAD_CONNECTIONS, LOAD_SECONDS, read))
  }
  const ratios = served.map((rate, round) => rate / statement[round]!)
  process.stdout.write(
    `all four filters, ${LOAD_CONNECTIONS} connections: ${quantile(served).toFixed(0)}/s; the statement alone ` +
      `${quantile(statement).toFixed(0)}/s; ratio ${quantile(ratios).toFixed(2)} ` +
      `(${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)})\n`,
  )
}

const small = await startInstallation(SIZES.small)
const large = await startInstallation(SIZES.large)
let withinTargets = true
process.stdout.write(
  `embedded PostgreSQL, ${SIZES.small} beside ${SIZES.large} vehicles, ${CALLS} calls each; median and 95 % in ms\n` +
    `${''.padEnd(36)}${'small'.padStart(14)}${'large'.padStart(18)}${'ratio'.padStart(12)}   limit ${MAX_RATIO}\n`,
)
for (const one of [...LIST_CASES, ...PLATE_CASES]) {
  const isTooMuch = (times: Times) =>
    one.hasTarget !== false &&
    !(one.readsEveryRow ? quantile(times.large) <= MAX_EVERY_ROW_MS : ratioOf(times) <= MAX_RATIO)
  let times = await compare(one, small, large, CALLS)
  // other work on the machine may hit one side only; the cost of size shows every time
  for (let again = 0; again < 2 && isTooMuch(times); again++) times = await compare(one, small, large, CALLS)
  const tooMuch = isTooMuch(times)
  if (tooMuch) withinTargets = false
  const target = one.hasTarget === false ? '   not judged' : one.readsEveryRow ? `   limit ${MAX_EVERY_ROW_MS} ms` : ''
  const verdict = tooMuch ? '   TOO MUCH' : target
  process.stdout.write(
    `${one.name.padEnd(36)}${formatMs(quantile(times.small))}${formatMs(quantile(times.small, 0.95))}  ${formatMs(quantile(times.large))}` +
      `${formatMs(quantile(times.large, 0.95))}  ${ratioOf(times).toFixed(2).padStart(8)}${verdict}\n`,
  )
}
const stats = quantile((await compare(STATS_CASE, small, large, 20)).large)
if (stats > MAX_STATS_MS) withinTargets = false
process.stdout.write(`${'stats of the large one'.padEnd(36)}${formatMs(stats)} ms   limit ${MAX_STATS_MS}\n`)
await measureThroughput(large)
if (!withinTargets) process.exitCode = 1
