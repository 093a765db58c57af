import { spawnSync } from 'node:child_process'
import { parseDatabaseUrl } from '../server/src/db/database-url.ts'
import type { Pool } from '../server/src/db/pool.ts'
import { PLATES, SENDERS } from './send-data.ts'

/** Returns the transactions a second of the baseline: by pgbench, or through the driver where that is missing. */
export async function measureBaseline(
  url: string,
  db: Pool,
  connections: number,
  seconds: number,
): Promise<{ rate: number; by: string }> {
  const { host, port, user, database } = parseDatabaseUrl(url)
  const script = `\\set s random(1, ${SENDERS})\n\\set p random(1, ${PLATES})\nselect bench_send(:s, :p);\n`
  const args = ['-n', '-M', 'prepared', '-c', String(connections), '-j', '2', '-T', String(seconds), '-f', '-']
  const done = spawnSync('pgbench', [...args, '-h', host, '-p', String(port), '-U', user, database], {
    input: script,
    encoding: 'utf8',
  })
  const tps = /tps = ([\d.]+) \(without/.exec(done.stdout ?? '')?.[1]
  if (tps) return { rate: Number(tps), by: 'pgbench' }
  if (done.error === undefined) throw new Error(`pgbench: ${done.stderr}`)

  const random = (max: number) => 1 + Math.floor(Math.random() * max)
  const until = performance.now() + seconds * 1000
  let count = 0
  const worker = async () => {
    while (performance.now() < until) {
      await db`select bench_send(${random(SENDERS)}, ${random(PLATES)})`
      count++
    }
  }
  await Promise.all(Array.from({ length: connections }, worker))
  return { rate: count / seconds, by: 'the driver' }
}
