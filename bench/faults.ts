/**
 * Injects faults into a running installation, checks that everything acknowledged is still there, and writes the figures to
 * `docs/figures.md`.
 *
 * npm run faults [-- <scenario> … --rounds=200]
 */
import { bucketAway } from './faults/bucket-away.ts'
import { clusterFailover } from './faults/cluster.ts'
import { clusterDivided } from './faults/cluster-divided.ts'
import { clusterFrozen } from './faults/cluster-frozen.ts'
import { cutCommit } from './faults/cut-commit.ts'
import { cutResponse } from './faults/cut-response.ts'
import { diskFull } from './faults/disk-full.ts'
import { kill9, kill9Embedded } from './faults/kill-9.ts'
import { killWorker } from './faults/kill-worker.ts'
import { rollingRestart } from './faults/rolling-restart.ts'
import { smtpAway } from './faults/smtp-away.ts'
import { runScenarios } from './run-scenarios.ts'

await runScenarios('faults', {
  'kill-9': kill9,
  'kill-9-embedded': kill9Embedded,
  'kill-worker': killWorker,
  'cut-response': cutResponse,
  'cut-commit': cutCommit,
  'rolling-restart': rollingRestart,
  'smtp-away': smtpAway,
  'disk-full': diskFull,
  'bucket-away': bucketAway,
  cluster: clusterFailover,
  'cluster-frozen': clusterFrozen,
  'cluster-divided': clusterDivided,
})
