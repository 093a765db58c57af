/**
 * Checks that the lists for admins and the lookup of a plate cost the same with a million vehicles as with ten thousand:
 * two databases on one PostgreSQL, a server for each, and every request sent to both alternately. Exits with 1 when a median
 * with the large one is more than half again the median with the small one, three times in a row, or when a search that
 * reads every row takes too long. Then measures how many lists with all four filters are served in a second, and how many
 * the statement alone allows.
 *
 * npm run bench -- admin [--small 10000 --large 1000000 --calls 200]
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { runCustomPlanned } from '../server/src/admin/search.ts'
import { listNewestVehicles } from '../server/src/admin/vehicle-queries.ts'
import { formatDatabaseUrl, parseDatabaseUrl } from '../server/src/db/database-url.ts'
import { MAX_UUID } from '../server/src/db/pagination.ts'
import { openPool, type Pool } from '../server/src/db/pool.ts'
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
import { startEmbeddedForBench } from './embedded-postgres.ts'
import { PASSWORD } from './http-client.ts'
import { startInstalledPostgres } from './installed-postgres.ts'
import { runLoad } from './load-generator.ts'
import { encodeRequest, median, startForBench } from './product.ts'

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
const FIRST_PORT = 39_420
const MAX_RATIO = 1.5
const MAX_STATS_MS = 1_000
const MAX_EVERY_ROW_MS = 1_000
const LOAD_CONNECTIONS = 8
const LOAD_SECONDS = 3
const LOAD_ROUNDS = 5
const PAGE_SIZE = 20
const MAX_PAGE_SIZE = 100
const OWN_PLATE = 'OWNBENCH'

/** Clean up what was started; they run in reverse order, also after a failure. */
const cleanups: (() => unknown)[] = []

/** A filled installation and how to time a request to it as an admin. */
type Installation = {
  url: string
  port: number
  token: string
  data: BenchmarkData
  time(call: AdminRequest): Promise<number>
}

async function startInstallation(server: string, name: string, vehicles: number, port: number): Promise<Installation> {
  const maintenance = openPool(server, 1)
  await maintenance.unsafe(`create database ${name}`)
  await maintenance.end()
  const url = formatDatabaseUrl({ ...parseDatabaseUrl(server), database: name })
  const dataDir = mkdtempSync(join(tmpdir(), 'platenote-bench-'))
  cleanups.push(() => rmSync(dataDir, { recursive: true, force: true }))
  const product = await startForBench({ url, dataDir, port, role: 'web' })
  cleanups.push(() => product.stop())
  const began = performance.now()
  const samples = await fillDatabase(url, vehicles)
  process.stdout.write(`${vehicles} vehicles made in ${((performance.now() - began) / 1000).toFixed(0)} s\n`)

  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  cleanups.push(() => agent.destroy())
  const send = ({ method, path, body }: Omit<AdminRequest, 'status'>, token?: string) =>
    new Promise<{ status: number; text: string }>((resolve, reject) => {
      const text = body === undefined ? '' : JSON.stringify(body)
      const headers = {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(text && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
      }
      const sent = request({ agent, host: '127.0.0.1', port, method, path, headers }, (response) => {
        let received = ''
        response.setEncoding('utf8').on('data', (chunk: string) => {
          received += chunk
        })
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text: received }))
      })
      sent.on('error', reject).end(text)
    })

  const credentials = { email: 'admin@bench.example', password: PASSWORD }
  const { text } = await send({ method: 'POST', path: '/auth/v1/signup', body: { ...credentials, data: {} } })
  const { access_token: token } = JSON.parse(text) as { access_token: string }
  const db = openPool(url, 1)
  await db`update auth.users set is_admin = true where email = ${credentials.email}`
  await db.end()

  const call = async ({ status, ...input }: AdminRequest): Promise<string> => {
    const response = await send(input, token)
    if (response.status !== status) throw new Error(`${input.path} responded ${response.status}: ${response.text}`)
    return response.text
  }
  const car = { make: 'Honda', model: 'Civic', registration_year: 2020, province: 'Ontario' }
  await call({ method: 'POST', path: '/register-plate', body: { ...car, plate: OWN_PLATE }, status: 200 })

  let page500 = ''
  for (let left = PAGE_SIZE * 499; left > 0; left -= MAX_PAGE_SIZE) {
    const query = `limit=${Math.min(left, MAX_PAGE_SIZE)}${page500 && `&cursor=${page500}`}`
    const page = JSON.parse(await call({ method: 'GET', path: `/api/admin/vehicles?${query}`, status: 200 }))
    page500 = (page as { next: string | null }).next ?? page500
  }
  return {
    url,
    port,
    token,
    data: { samples, page500, ownPlate: OWN_PLATE },
    async time(input) {
      const before = performance.now()
      await call(input)
      return performance.now() - before
    },
  }
}

type Times = { small: number[]; large: number[] }

const p95 = (times: number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? Number.NaN

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

const ratioOf = ({ small, large }: Times) => median(large) / median(small)
const formatMs = (time: number) => time.toFixed(2).padStart(8)

/** Returns the statements a second, with as many at once as there are connections. */
async function measureStatement(db: Pool): Promise<number> {
  const started = performance.now()
  let count = 0
  const work = async () => {
    while (performance.now() < started + LOAD_SECONDS * 1000) {
      const filters = allFourFilters(count++)
      await runCustomPlanned(db, (tx) => listNewestVehicles(tx, MAX_UUID, filters, PAGE_SIZE + 1))
    }
  }
  await Promise.all(Array.from({ length: LOAD_CONNECTIONS }, work))
  return (count * 1000) / (performance.now() - started)
}

/** Prints how many lists with all four filters are served in a second, and their part of what the statement allows. */
async function measureThroughput({ url, port, token }: Installation): Promise<void> {
  const requests = Array.from({ length: 10 }, (_, n) => {
    const query = new URLSearchParams(allFourFilters(n)).toString()
    return encodeRequest(port, 'GET', `/api/admin/vehicles?${query}`, token)
  })
  let next = 0
  const serve = async () => {
    const load = await runLoad(
      { host: '127.0.0.1', port },
      LOAD_CONNECTIONS,
      LOAD_SECONDS,
      () => requests[next++ % requests.length]!,
      200,
    )
    if (load.unexpected.length > 0) throw new Error(`refused: ${load.unexpected.join(' | ')}`)
    return load.requests / load.seconds
  }
  const db = openPool(url, LOAD_CONNECTIONS)
  try {
    const [served, statement]: [number[], number[]] = [[], []]
    for (let round = 0; round < LOAD_ROUNDS; round++) {
      served.push(await serve())
      statement.push(await measureStatement(db))
    }
    const ratios = served.map((rate, round) => rate / statement[round]!)
    process.stdout.write(
      `all four filters, ${LOAD_CONNECTIONS} connections: ${median(served).toFixed(0)}/s; the statement alone ` +
        `${median(statement).toFixed(0)}/s; ratio ${median(ratios).toFixed(2)} ` +
        `(${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)})\n`,
    )
  } finally {
    await db.end()
  }
}

async function measure(server: string, name: string): Promise<boolean> {
  const small = await startInstallation(server, 'bench_small', SIZES.small, FIRST_PORT)
  const large = await startInstallation(server, 'bench_large', SIZES.large, FIRST_PORT + 1)
  let withinTargets = true
  process.stdout.write(
    `${name}, ${SIZES.small} beside ${SIZES.large} vehicles, ${CALLS} calls each; median and 95 % in ms\n` +
      `${''.padEnd(36)}${'small'.padStart(14)}${'large'.padStart(18)}${'ratio'.padStart(12)}   limit ${MAX_RATIO}\n`,
  )
  for (const one of [...LIST_CASES, ...PLATE_CASES]) {
    const isTooMuch = (times: Times) =>
      one.hasTarget !== false &&
      !(one.readsEveryRow ? median(times.large) <= MAX_EVERY_ROW_MS : ratioOf(times) <= MAX_RATIO)
    let times = await compare(one, small, large, CALLS)
    // other work on the machine may hit one side only; the cost of size shows every time
    for (let again = 0; again < 2 && isTooMuch(times); again++) times = await compare(one, small, large, CALLS)
    const tooMuch = isTooMuch(times)
    if (tooMuch) withinTargets = false
    const target =
      one.hasTarget === false ? '   not judged' : one.readsEveryRow ? `   limit ${MAX_EVERY_ROW_MS} ms` : ''
    const verdict = tooMuch ? '   TOO MUCH' : target
    process.stdout.write(
      `${one.name.padEnd(36)}${formatMs(median(times.small))}${formatMs(p95(times.small))}  ${formatMs(median(times.large))}` +
        `${formatMs(p95(times.large))}  ${ratioOf(times).toFixed(2).padStart(8)}${verdict}\n`,
    )
  }
  const stats = median((await compare(STATS_CASE, small, large, 20)).large)
  if (stats > MAX_STATS_MS) withinTargets = false
  process.stdout.write(`${'stats of the large one'.padEnd(36)}${formatMs(stats)} ms   limit ${MAX_STATS_MS}\n`)
  await measureThroughput(large)
  return withinTargets
}

async function startPostgres(): Promise<{ url: string; name: string }> {
  const installed = startInstalledPostgres()
  if (installed) {
    cleanups.push(() => installed.stop())
    return installed
  }
  const embedded = await startEmbeddedForBench()
  cleanups.push(() => embedded.stop())
  return { url: embedded.url, name: 'embedded PostgreSQL' }
}

try {
  const { url, name } = await startPostgres()
  process.exitCode = (await measure(url, name)) ? 0 : 1
} finally {
  for (let end = cleanups.pop(); end; end = cleanups.pop()) await end()
}
