/**
 * Measures sends per second through HTTP, with every check of the product, against the same writes by pgbench on the same
 * PostgreSQL in the same run: once on an installed PostgreSQL, once on the embedded default. A busy installation runs the
 * mail worker in another process, so the server measured here is ROLE=web.
 *
 * npm run bench -- send [--seconds 5 --rounds 3]
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openPool } from '../server/src/db/pool.ts'
import { startEmbeddedForBench } from './embedded-postgres.ts'
import { startInstalledPostgres } from './installed-postgres.ts'
import { runLoad } from './load-generator.ts'
import { cpuSeconds, median, startForBench } from './product.ts'
import { createSendRequests, measureBaseline, PLATES, seedPlates, signUpSenders } from './send-data.ts'

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '5' }, rounds: { type: 'string', default: '3' } },
})
const SECONDS = Number(values.seconds)
const ROUNDS = Number(values.rounds)
const CONNECTIONS = 32
const PORT = 39_417

async function measure(name: string, url: string) {
  const dataDir = mkdtempSync(join(tmpdir(), 'platenote-bench-'))
  const product = await startForBench({ url, dataDir, port: PORT, role: 'web' })
  const db = openPool(url, CONNECTIONS)
  try {
    await seedPlates(url)
    const request = createSendRequests(PORT, await signUpSenders(PORT, db))
    await runLoad({ host: '127.0.0.1', port: PORT }, CONNECTIONS, 2, request, 201) // warm up
    const rates: number[] = []
    const bases: number[] = []
    const ratios: number[] = []
    const p50: number[] = []
    const p99: number[] = []
    const cpu: number[] = []
    let by = ''
    for (let round = 0; round < ROUNDS; round++) {
      const base = await measureBaseline(url, db, CONNECTIONS, SECONDS)
      by = base.by
      const before = cpuSeconds(product.pid)
      const load = await runLoad({ host: '127.0.0.1', port: PORT }, CONNECTIONS, SECONDS, request, 201)
      if (load.unexpected.length > 0) throw new Error(`refused sends: ${load.unexpected.join(' | ')}`)
      const rate = load.requests / load.seconds
      rates.push(rate)
      bases.push(base.rate)
      ratios.push(rate / base.rate)
      p50.push(load.p50Ms)
      p99.push(load.p99Ms)
      cpu.push(((cpuSeconds(product.pid) - before) * 1000) / load.requests)
    }
    const list = (numbers: number[], digits: number) => numbers.map((n) => n.toFixed(digits)).join(', ')
    process.stdout.write(
      `${name}, ${CONNECTIONS} connections, ${ROUNDS} rounds of ${SECONDS} s, ${PLATES} vehicles\n` +
        `  sends/s through HTTP        ${median(rates).toFixed(0)}   (${list(rates, 0)})\n` +
        `  transactions/s by ${by.padEnd(10)} ${median(bases).toFixed(0)}   (${list(bases, 0)})\n` +
        `  ratio                       ${median(ratios).toFixed(2)}   (${list(ratios, 2)})   aim: at least 0.95\n` +
        `  latency p50 / p99           ${median(p50).toFixed(1)} / ${median(p99).toFixed(1)} ms   aim: p99 under 25 ms\n` +
        `  processor per send, server  ${median(cpu).toFixed(3)} ms   (${list(cpu, 3)})   aim: at most 0.200 ms\n`,
    )
  } finally {
    await db.end()
    await product.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

const installed = startInstalledPostgres()
if (installed) {
  try {
    await measure(installed.name, installed.url)
  } finally {
    installed.stop()
  }
} else process.stdout.write('No installed PostgreSQL was found; only the embedded default is measured.\n')

const embedded = await startEmbeddedForBench()
try {
  await measure('embedded PostgreSQL', embedded.url)
} finally {
  await embedded.stop()
}
