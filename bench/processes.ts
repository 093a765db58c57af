/**
 * Measures sends per second through several web processes that share one PostgreSQL, each with one batch of sends in flight
 * and with two, against the same writes by pgbench in the same run. The order alternates from round to round.
 *
 * npm run bench -- processes [--processes 1,2,4 --batches 1,2 --seconds 3 --rounds 3]
 */
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { quantile } from './figures.ts'
import { type Member, openDatabase, startDatabase, startMember } from './installation.ts'
import { runLoad } from './load-generator.ts'
import { createSendRequests, measureBaseline, seedSends } from './send-data.ts'

const { values } = parseArgs({
  options: {
    processes: { type: 'string', default: '1,2,4' },
    batches: { type: 'string', default: '1,2' },
    seconds: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '3' },
  },
})
const PROCESSES = values.processes.split(',').map(Number)
const BATCHES = values.batches.split(',').map(Number)
const SECONDS = Number(values.seconds)
const ROUNDS = Number(values.rounds)
const CONNECTIONS = 32
/** What the connections of all processes leave of the database's hundred. */
const BASELINE_CONNECTIONS = 20

type Case = { processes: number; batches: number; servers: Member[]; rates: number[]; p99Ms: number[] }

await using database = await startDatabase()
await using db = openDatabase(database.url, BASELINE_CONNECTIONS)
await using started = new AsyncDisposableStack()

/** Starts as many processes as the largest case has. */
async function startServers(batches: number): Promise<Member[]> {
  const servers: Member[] = []
  while (servers.length < Math.max(...PROCESSES))
    servers.push(started.use(await startMember('web', { ...database.env, SEND_BATCHES: String(batches) })))
  return servers
}

const cases: Case[] = []
for (const batches of BATCHES) {
  const servers = await startServers(batches)
  for (const processes of PROCESSES)
    cases.push({ processes, batches, servers: servers.slice(0, processes), rates: [], p99Ms: [] })
}
const request = createSendRequests(await seedSends(db, cases[0]!.servers[0]!))

/** Sends over the connections, which the processes share equally; returns the sum of what they served. */
async function send({ servers }: Case) {
  const connections = CONNECTIONS / servers.length
  const loads = await Promise.all(servers.map(({ port }) => runLoad({ port, connections, seconds: SECONDS, request })))
  return {
    rate: loads.reduce((sum, { perSecond }) => sum + perSecond, 0),
    p99Ms: Math.max(...loads.map((load) => load.p99Ms)),
  }
}

const spread = (numbers: number[]) => `${Math.min(...numbers).toFixed(2)} to ${Math.max(...numbers).toFixed(2)}`

for (const one of cases) await send(one) // warm up
const bases: number[] = []
let by = ''
for (let round = 0; round < ROUNDS; round++) {
  const base = await measureBaseline(database.url, db, BASELINE_CONNECTIONS, SECONDS)
  bases.push(base.rate)
  by = base.by
  for (const one of round % 2 === 0 ? cases : cases.toReversed()) {
    const { rate, p99Ms } = await send(one)
    one.rates.push(rate)
    one.p99Ms.push(p99Ms)
  }
}
const [reference] = cases
process.stdout.write(
  `embedded PostgreSQL, ${availableParallelism()} processors, ${CONNECTIONS} connections, ${ROUNDS} rounds of ${SECONDS} s\n` +
    `transactions/s by ${by}: ${quantile(bases).toFixed(0)}\n`,
)
for (const { processes, batches, rates, p99Ms } of cases) {
  const ofBase = rates.map((rate, round) => rate / bases[round]!)
  const ofFirst = rates.map((rate, round) => rate / reference!.rates[round]!)
  process.stdout.write(
    `${processes} processes, ${batches} batches each: ${quantile(rates).toFixed(0)} sends/s, p99 ${quantile(p99Ms).toFixed(0)} ms; ` +
      `${quantile(ofBase).toFixed(2)} of ${by} (${spread(ofBase)}); ${quantile(ofFirst).toFixed(2)} of the first line (${spread(ofFirst)})\n`,
  )
}
