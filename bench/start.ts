/**
 * Measures how long the artefact takes to be ready, and how much memory its process uses while idle.
 *
 * npm run bench -- start [--starts=5]
 */
import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { globSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createTestDatabase } from '../server/src/test/database.ts'
import { findFreePort } from '../server/src/test/free-port.ts'
import { aim, formatMs, note, quantile, recordFigures } from './figures.ts'

const ROOT = join(import.meta.dirname, '..')
const { values } = parseArgs({ options: { starts: { type: 'string', default: '5' } } })
const STARTS = Number(values.starts)
const IDLE_MS = 10_000
const MAX_START_MS = 1_000
const MAX_IDLE_MIB = 150
const KIB_PER_MIB = 1024

const [archive] = globSync(join(ROOT, 'dist/platenote-*.tar.gz'))
if (!archive) throw new Error('there is no artefact; run npm run build')
if (!Number.isInteger(STARTS) || STARTS < 3) throw new Error('--starts is a number of at least 3')
const folder = mkdtempSync(join(tmpdir(), 'platenote-bench-start-'))
const app = join(folder, basename(archive, '.tar.gz'))
if (spawnSync('tar', ['-xzf', archive, '-C', folder]).status !== 0) throw new Error('the artefact cannot be unpacked')
symlinkSync(join(ROOT, 'node_modules'), join(app, 'node_modules'))
/** What `npm start` runs there, after `node`. */
const startArguments: string[] = JSON.parse(readFileSync(join(app, 'package.json'), 'utf8'))
  .scripts.start.split(' ')
  .slice(1)
const database = await createTestDatabase()
const port = await findFreePort()

/** The settings of an installation, except for what is missing here: a mail server, and a proxy for TLS. */
const settings = {
  NODE_ENV: 'production',
  NODE_COMPILE_CACHE: join(folder, 'compiled'),
  PORT: String(port),
  PUBLIC_URL: `http://localhost:${port}`,
  DATA_DIR: join(folder, 'data'),
  DATABASE_URL: database.url,
  SMTP_URL: 'smtp://localhost:1',
  MASTER_KEY: randomBytes(32).toString('base64'),
  JWT_SECRET: randomBytes(32).toString('base64'),
  MAIL_FROM: 'PlateNote <notes@platenote.ca>',
  SUPPORT_EMAIL: 'support@platenote.ca',
  MAIL_SENDER_NAME: 'PlateNote Inc.',
  MAIL_POSTAL_ADDRESS: '1 Main Street, Toronto ON  M5V 1A1',
  PRIVACY_OFFICER: 'Sam Roy',
  LOG_LEVEL: 'error',
}

const readRssMib = (pid: number) =>
  Number(spawnSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }).stdout) / KIB_PER_MIB

function measureBareNode(): number {
  const startedAt = performance.now()
  spawnSync(process.execPath, ['--eval', '0'])
  return performance.now() - startedAt
}

async function measureStart(): Promise<{ readyMs: number; idleMib: number }> {
  const startedAt = performance.now()
  const server = spawn(process.execPath, startArguments, {
    cwd: app,
    env: { PATH: process.env['PATH'], ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(server, 'exit')
  const isReady = await Promise.race([once(server.stdout, 'data').then(() => true), ended.then(() => false)])
  if (!isReady) throw new Error('the artefact does not start')
  const readyMs = performance.now() - startedAt
  await sleep(IDLE_MS)
  const idleMib = readRssMib(server.pid!)
  server.kill('SIGTERM')
  await ended
  return { readyMs, idleMib }
}

try {
  const startedAt = performance.now()
  const cold = await measureStart()
  const warm = []
  for (let i = 0; i < STARTS; i++) warm.push(await measureStart())
  const bareMs = Array.from({ length: STARTS }, measureBareNode)
  const readyMs = warm.map((start) => start.readyMs)
  const idleMib = warm.map((start) => start.idleMib)
  const figures = [
    note('first start, nothing compiled yet', `${Math.round(cold.readyMs)} ms`),
    aim('warm start, median', formatMs(readyMs), 'under 1 s', quantile(readyMs) < MAX_START_MS),
    note('warm start, slowest', formatMs(readyMs, 1)),
    note('a Node that does nothing', formatMs(bareMs)),
    aim(
      `resident after ${IDLE_MS / 1000} s of nothing, median`,
      `${Math.round(quantile(idleMib))} MiB`,
      'under 150 MiB',
      quantile(idleMib) < MAX_IDLE_MIB,
    ),
    note('resident after that, most', `${Math.round(quantile(idleMib, 1))} MiB`),
  ]
  recordFigures({
    title: 'Start and idle',
    description:
      'The artefact, unpacked, with the settings of production and all roles in one process, is started on a database that runs already and has the tables, until it says that it is ready. Then nobody asks anything.',
    command: `npm run bench -- start --starts=${STARTS}`,
    rounds: STARTS,
    startedAt,
    figures,
  })
} finally {
  await database.drop()
  rmSync(folder, { recursive: true, force: true })
}
