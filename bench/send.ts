/**
 * Measures sends per second through HTTP, with every check of the product, against the same writes by pgbench on the same
 * PostgreSQL in the same run. A busy installation runs the mail worker in another process, so the server measured here is ROLE=web.
 *
 * npm run bench -- send [--seconds 5 --rounds 3]
 */
import { parseArgs } from 'node:util'
import { quantile } from './figures.ts'
import { openDatabase, startDatabase, startMember } from './installation.ts'
import { runLoad } from './load-generator.ts'
import { createSendRequests, measureBaseline, PLATES, seedSends } from './send-data.ts'

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '5' }, rounds: { type: 'string', default: '3' } },
})
const SECONDS = Number(values.seconds)
const ROUNDS = Number(values.rounds)
const CONNECTIONS = 32

await using database = await startDatabase()
await using web = await startMember('web', database.env)
await using db = openDatabase(database.url, CONNECTIONS)
const request = createSendRequests(await seedSends(db, web))
const send = (seconds: number) => runLoad({ port: web.port, connections: CONNECTIONS, seconds, request })
await send(2) // warm up
const rounds: { rate: number; base: number; ratio: number; p50: number; p99: number; cpu: number }[] = []
let by = ''
for (let round = 0; round < ROUNDS; round++) {
  const base = await measureBaseline(database.url, db, CONNECTIONS, SECONDS)
  by = base.by
  const before = web.cpuSeconds()
  const { perSecond: rate, requests, p50Ms: p50, p99Ms: p99 } = await send(SECONDS)
  const cpu = ((web.cpuSeconds() - before) * 1000) / requests
  rounds.push({ rate, base: base.rate, ratio: rate / base.rate, p50, p99, cpu })
}
const middle = (of: keyof (typeof rounds)[0], digits: number) => quantile(rounds.map((one) => one[of])).toFixed(digits)
const list = (of: keyof (typeof rounds)[0], digits: number) =>
  `${middle(of, digits)}   (${rounds.map((one) => one[of].toFixed(digits)).join(', ')})`
process.stdout.write(
  `embedded PostgreSQL, ${CONNECTIONS} connections, ${ROUNDS} rounds of ${SECONDS} s, ${PLATES} vehicles\n` +
    `  sends/s through HTTP        ${list('rate', 0)}\n` +
    `  transactions/s by ${by.padEnd(10)} ${list('base', 0)}\n` +
    `  ratio                       ${list('ratio', 2)}   aim: at least 0.95\n` +
    `  latency p50 / p99           ${middle('p50', 1)} / ${middle('p99', 1)} ms   aim: p99 under 25 ms\n` +
    `  processor per send, server  ${list('cpu', 3)} ms   aim: at most 0.200 ms\n`,
)
