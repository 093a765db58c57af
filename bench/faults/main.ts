/**
 * npm run faults -- <scenario> … [--rounds=200]: injects faults into a running installation, or overloads it, checks that everything
 * acknowledged is still there, and prints what it counted. Without a scenario it lists them.
 */
import { parseArgs } from 'node:util'
import { recordFigures, type Scenario } from '../figures.ts'
import { bucketAway } from './bucket-away.ts'
import { clusterFailover } from './cluster.ts'
import { clusterDivided, clusterFrozen } from './cluster-rejoin.ts'
import { cutCommit } from './cut-commit.ts'
import { cutResponse } from './cut-response.ts'
import { diskFull } from './disk-full.ts'
import { kill9, kill9Embedded } from './kill-9.ts'
import { killWorker } from './kill-worker.ts'
import { slowClients } from './many-slow-clients.ts'
import { overload } from './overload.ts'
import { smtpAway } from './smtp-away.ts'

const SCENARIOS: Record<string, Scenario> = {
  'kill-9': kill9,
  'kill-9-embedded': kill9Embedded,
  'kill-worker': killWorker,
  'cut-response': cutResponse,
  'cut-commit': cutCommit,
  'smtp-away': smtpAway,
  'disk-full': diskFull,
  'bucket-away': bucketAway,
  cluster: clusterFailover,
  'cluster-frozen': clusterFrozen,
  'cluster-divided': clusterDivided,
  overload,
  'slow-clients': slowClients,
}

const { values, positionals } = parseArgs({ options: { rounds: { type: 'string' } }, allowPositionals: true })
const rounds = values.rounds === undefined ? undefined : Number(values.rounds)
const isWrong =
  positionals.some((name) => !Object.hasOwn(SCENARIOS, name)) ||
  (rounds !== undefined && !(Number.isInteger(rounds) && rounds > 0))

if (isWrong || positionals.length === 0) {
  const lines = Object.entries(SCENARIOS).map(([name, { title }]) => `  ${name.padEnd(17)}${title}\n`)
  process.stderr.write(`npm run faults -- <scenario> … [--rounds=<number>]\n\n${lines.join('')}`)
  if (isWrong) process.exitCode = 2
}
for (const name of isWrong ? [] : positionals) {
  const scenario = SCENARIOS[name]!
  const count = rounds ?? scenario.rounds
  const startedAt = performance.now()
  const figures = await scenario.run(count, (text) => process.stderr.write(`${name}: ${text}\n`))
  const command = `npm run faults -- ${name} --rounds=${count}`
  recordFigures({ ...scenario, command, rounds: count, startedAt, figures })
}
