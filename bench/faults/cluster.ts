import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { signUpOverHttp } from '../../server/src/test/post-json.ts'
import { aim, type Figure, note, quantile, type Scenario } from '../figures.ts'
import { auditFigures, auditSends } from './audit.ts'
import { type Member, openForHarness, seedOwners, startMember } from './installation.ts'
import { startMailSink } from './mail-sink.ts'
import { type PostgresCluster, startPostgresCluster } from './postgres-cluster.ts'
import { type Acknowledged, sendUntilAcknowledged, waitForOutbox } from './senders.ts'

const CLIENTS = 8
const OWNERS = 40_000
const PAUSE_MS = 100
const SENDS_BETWEEN_FAULTS = 100
const BACK_WITHIN_MS = 10_000
const MAILS_WITHIN_MS = 120_000

type Recovery = { noPrimaryMs: number; afterNewPrimaryMs: number }

/** Runs a fault and measures until another node leads, and from then until a send is acknowledged. */
async function recoverFrom(
  cluster: PostgresCluster,
  acknowledged: Acknowledged,
  fault: (primary: string) => void | Promise<void>,
): Promise<Recovery> {
  const before = await cluster.primary()
  if (!before) throw new Error('there is no primary')
  const startedAt = performance.now()
  await fault(before)
  let after = await cluster.primary()
  while (after === undefined || after === before) {
    await delay(50)
    after = await cluster.primary()
  }
  const newPrimaryAt = performance.now()
  // a repeated send counts once: what was acknowledged before the new primary led is not a sign of it
  const known = acknowledged.size
  while (acknowledged.size === known) await delay(20)
  return { noPrimaryMs: newPrimaryAt - startedAt, afterNewPrimaryMs: performance.now() - newPrimaryAt }
}

async function breakCluster(
  cluster: PostgresCluster,
  members: Member[],
  sink: Awaited<ReturnType<typeof startMailSink>>,
  rounds: number,
  progress: (text: string) => void,
): Promise<Figure[]> {
  const web = members.filter(({ role }) => role === 'web').map(({ url }) => url)
  const db = openForHarness(cluster.url)
  const nextPlate = await seedOwners(db, OWNERS)
  await db.end()
  const tokens = await Promise.all(
    Array.from({ length: CLIENTS }, (_, i) => signUpOverHttp(web[0]!, `sender${i}@example.com`)),
  )
  const acknowledged: Acknowledged = new Map()
  const counts = { tries: 0 }
  let isStopped = false
  const clients = Promise.all(
    tokens.map(async (token) => {
      while (!isStopped) {
        await sendUntilAcknowledged(web, token, nextPlate(), acknowledged, counts)
        await delay(PAUSE_MS * (0.5 + Math.random()))
      }
    }),
  )
  const untilSent = async (count: number) => {
    const goal = acknowledged.size + count
    while (acknowledged.size < goal) await Promise.race([delay(50), clients])
  }
  const kills: Recovery[] = []
  const switchovers: Recovery[] = []
  try {
    for (let round = 0; round < rounds; round++) {
      await untilSent(SENDS_BETWEEN_FAULTS)
      let killed = ''
      const recovery = await Promise.race([
        recoverFrom(cluster, acknowledged, (primary) => {
          killed = primary
          cluster.killNode(primary)
        }),
        clients.then(() => Promise.reject(new Error('the clients ended'))),
      ])
      kills.push(recovery)
      cluster.startNode(killed)
      await cluster.untilHealthy()
      if (round % 2 === 1) {
        await untilSent(SENDS_BETWEEN_FAULTS)
        switchovers.push(await recoverFrom(cluster, acknowledged, () => cluster.switchover()))
        await cluster.untilHealthy()
      }
      progress(`${round + 1} of ${rounds}: back ${Math.round(recovery.afterNewPrimaryMs)} ms after the new primary`)
    }
    await untilSent(SENDS_BETWEEN_FAULTS)
  } finally {
    isStopped = true
  }
  await clients
  const after = openForHarness(cluster.url)
  const waiting = await waitForOutbox(after, MAILS_WITHIN_MS)
  const audit = await auditSends(after, acknowledged, sink, MAILS_WITHIN_MS)
  await after.end()
  const ended = members.filter((member) => !member.isRunning()).length
  const slowest = Math.max(...[...kills, ...switchovers].map(({ afterNewPrimaryMs }) => afterNewPrimaryMs))
  const ms = (of: Recovery[], what: keyof Recovery, part?: number) =>
    quantile(
      of.map((one) => one[what]),
      part,
    )
  return [
    note('kills of the primary’s node, switchovers', `${kills.length}, ${switchovers.length}`),
    note('tries that were not acknowledged, and repeated under their key', counts.tries - audit.acknowledged),
    ...auditFigures(audit),
    aim('mails missing, or still waiting', audit.mailMissing + waiting, '0', audit.mailMissing + waiting === 0),
    note('messages mailed twice', audit.mailDoubled),
    note(
      'a kill: median and longest until another node leads',
      `${ms(kills, 'noPrimaryMs')}, ${ms(kills, 'noPrimaryMs', 1)} ms`,
    ),
    ...(switchovers.length > 0
      ? [note('a switchover: median until it leads', `${ms(switchovers, 'noPrimaryMs')} ms`)]
      : []),
    note('then until a send is acknowledged, median', `${ms([...kills, ...switchovers], 'afterNewPrimaryMs')} ms`),
    aim(
      'then until a send is acknowledged, longest',
      `${Math.round(slowest)} ms`,
      'within 10 s',
      slowest < BACK_WITHIN_MS,
    ),
    aim('processes of the product that ended', ended, '0', ended === 0),
  ]
}

export const clusterFailover: Scenario = {
  title: 'A PostgreSQL cluster that loses its primary',
  description: `Needs Debian’s \`patroni\`, \`etcd-server\`, \`haproxy\` and \`postgresql\`. Three PostgreSQL under Patroni (synchronous, strict; lease 20 s), three etcd, HAProxy before them; two web processes and a worker. ${CLIENTS} clients send and repeat what is not acknowledged. In each round the node of the primary is killed with everything on it (kill -9) and rejoins later; after every second one the lead is handed over on purpose. One machine: what a network does is not in it.`,
  rounds: 4,
  async run(rounds, progress) {
    const sink = await startMailSink()
    const cluster = await startPostgresCluster()
    const dataDir = mkdtempSync(join(tmpdir(), 'platenote-faults-'))
    const members: Member[] = []
    try {
      const env = { DATABASE_URL: cluster.url, DATA_DIR: dataDir, SMTP_URL: sink.url }
      for (const role of ['web', 'web', 'worker'] as const) members.push(await startMember(role, env))
      return await breakCluster(cluster, members, sink, rounds, progress)
    } finally {
      for (const member of members) await member.kill()
      await cluster.stop()
      await sink.close()
      rmSync(dataDir, { recursive: true, force: true })
    }
  },
}
