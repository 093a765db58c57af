import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { serverFlags } from '../scripts/lib/artefact-manifest.mjs'
import { createTestDatabase } from '../server/src/test/database.ts'

// npm run bench:start: how long the artefact takes to be ready, and what its process holds while nobody asks anything. The
// database runs already. The reference is a Node that does nothing.

const ROOT = join(import.meta.dirname, '..')
const RUNS = 6
const IDLE_MS = 10_000
const KIB_PER_MIB = 1024

const program = join(ROOT, 'dist/platenote/run.mjs')
if (!existsSync(program)) throw new Error('there is no artefact; run npm run build')
const folder = mkdtempSync(join(tmpdir(), 'platenote-bench-start-'))
const database = await createTestDatabase()

const round = (value: number) => Math.round(value)
const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
const readRssMib = (pid: number) =>
  Number(spawnSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }).stdout) / KIB_PER_MIB

function measureBareNode(): number {
  const startedAt = performance.now()
  spawnSync(process.execPath, ['--eval', '0'])
  return performance.now() - startedAt
}

async function measureStart(idleMs: number) {
  const startedAt = performance.now()
  const server = spawn(process.execPath, [...serverFlags, program, 'main'], {
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: join(folder, 'compiled'),
      DATA_DIR: folder,
      DATABASE_URL: database.url,
      PORT: '0',
      LOG_LEVEL: 'error',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(server.stdout, 'data')
  const readyMs = performance.now() - startedAt
  await sleep(idleMs)
  const rssMib = readRssMib(server.pid!)
  server.kill('SIGTERM')
  await once(server, 'exit')
  return { readyMs, rssMib }
}

try {
  const starts = []
  for (let i = 0; i < RUNS; i++) starts.push(await measureStart(i === RUNS - 1 ? IDLE_MS : 0))
  const [cold, ...warm] = starts
  const readyMs = median(warm.map((start) => start.readyMs))
  const bareMs = median(Array.from({ length: RUNS }, measureBareNode))
  const log = (line: string) => process.stdout.write(`${line}\n`)
  log(`first start: ${round(cold!.readyMs)} ms (nothing compiled yet, the database is migrated)`)
  log(
    `warm start: ${round(readyMs)} ms, ${(readyMs / bareMs).toFixed(1)} times a Node that does nothing (${round(bareMs)} ms)`,
  )
  log(`idle for ${IDLE_MS / 1000} s: ${round(warm.at(-1)!.rssMib)} MiB resident, all roles in one process`)
} finally {
  await database.drop()
  rmSync(folder, { recursive: true, force: true })
}
