/**
 * Measures sends per second through several web processes that share one PostgreSQL, each with one batch of sends in flight
 * and with two, against the same writes by pgbench in the same run. The order alternates from round to round.
 *
 * npm run bench -- processes [--processes 1,2,4 --batches 1,2 --seconds 3 --rounds 3]
 */
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openPool } from '../server/src/db/pool.ts'
import { startEmbeddedForBench } from './embedded-postgres.ts'
import { runLoad } from './load-generator.ts'
import { median, startForBench } from './product.ts'
import { createSendRequests, measureBaseline, seedPlates, signUpSenders } from './send-data.ts'

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
const FIRST_PORT = 39_430

type Server = { port: number; request: () => Buffer; stop(): Promise<unknown> }
type Case = { processes: number; batches: number; servers: Server[]; rates: number[]; p99Ms: number[] }

const postgres = await startEmbeddedForBench()
const db = openPool(postgres.url, BASELINE_CONNECTIONS)
const started: Server[] = []

/** Starts as many processes as the largest case has, for each number of batches. */
async function startServers(batches: number, tokens: string[]): Promise<Server[]> {
  const servers: Server[] = []
  for (let n = 0; n < Math.max(...PROCESSES); n++) {
    const port = FIRST_PORT + started.length
    const dataDir = join(postgres.dataDir, 'keys')
    const { stop } = await startForBench({ url: postgres.url, dataDir, port, role: 'web', sendBatches: batches })
    if (tokens.length === 0) {
      await seedPlates(postgres.url)
      tokens.push(...(await signUpSenders(port, db)))
    }
    const server = { port, request: createSendRequests(port, tokens), stop }
    servers.push(server)
    started.push(server)
  }
  return servers
}

/** Sends over the connections, which the processes share equally; returns the sum of what they served. */
async function send({ servers }: Case) {
  const loads = await Promise.all(
    servers.map(({ port, request }) =>
      runLoad({ host: '127.0.0.1', port }, CONNECTIONS / servers.length, SECONDS, request, 201),
    ),
  )
  const [unexpected] = loads.flatMap((load) => load.unexpected)
  if (unexpected !== undefined) throw new Error(`refused a send: ${unexpected}`)
  return {
    rate: loads.reduce((sum, { requests, seconds }) => sum + requests / seconds, 0),
    p99Ms: Math.max(...loads.map((load) => load.p99Ms)),
  }
}

const spread = (numbers: number[]) => `${Math.min(...numbers).toFixed(2)} to ${Math.max(...numbers).toFixed(2)}`

try {
  const tokens: string[] = []
  const cases: Case[] = []
  for (const batches of BATCHES) {
    const servers = await startServers(batches, tokens)
    for (const processes of PROCESSES)
      cases.push({ processes, batches, servers: servers.slice(0, processes), rates: [], p99Ms: [] })
  }
  for (const one of cases) await send(one) // warm up
  const bases: number[] = []
  let by = ''
  for (let round = 0; round < ROUNDS; round++) {
    const base = await measureBaseline(postgres.url, db, BASELINE_CONNECTIONS, SECONDS)
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
      `transactions/s by ${by}: ${median(bases).toFixed(0)}\n`,
  )
  for (const { processes, batches, rates, p99Ms } of cases) {
    const ofBase = rates.map((rate, round) => rate / bases[round]!)
    const ofFirst = rates.map((rate, round) => rate / reference!.rates[round]!)
    process.stdout.write(
      `${processes} processes, ${batches} batches each: ${median(rates).toFixed(0)} sends/s, p99 ${median(p99Ms).toFixed(0)} ms; ` +
        `${median(ofBase).toFixed(2)} of ${by} (${spread(ofBase)}); ${median(ofFirst).toFixed(2)} of the first line (${spread(ofFirst)})\n`,
    )
  }
} finally {
  await db.end()
  for (const { stop } of started) await stop()
  await postgres.stop()
}
