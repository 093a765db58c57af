import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { signUpOverHttp } from '../../server/src/test/post-json.ts'
import { withTimeout } from '../../server/src/time.ts'
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
/** Whatever takes longer counts as long, and is not waited for: a failure must not look like a run that goes on. */
const GIVE_UP_MS = 120_000
const MAILS_WITHIN_MS = 120_000
const ASK_TIMEOUT_MS = 2_000
const ASK_AGAIN_MS = 50

/** What a fault cost: the time without a primary, and from then the time until each process sends and is ready again. */
type Recovery = { noPrimaryMs: number; sendMs: number[]; readyMs: number[] }

/** Sends a message through one process until it is acknowledged. */
type SendThrough = (member: Member, isStopped: () => boolean) => Promise<void>

const isReady = async ({ url }: Member): Promise<boolean> => {
  const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(ASK_TIMEOUT_MS) }).catch(() => undefined)
  await answer?.arrayBuffer().catch(() => {})
  return answer?.status === 200
}

async function untilReady(member: Member, isStopped: () => boolean): Promise<void> {
  while (!isStopped() && !(await isReady(member))) await delay(ASK_AGAIN_MS)
}

/** Runs a fault and measures until another node leads, and from then until every process works again by itself. */
async function recoverFrom(
  cluster: PostgresCluster,
  members: Member[],
  sendThrough: SendThrough,
  fault: (primary: string) => void | Promise<void>,
): Promise<Recovery> {
  const before = await cluster.primary()
  if (!before) throw new Error('there is no primary')
  const startedAt = performance.now()
  await fault(before)
  let after = await cluster.primary()
  while (after === undefined || after === before) {
    if (performance.now() - startedAt > GIVE_UP_MS) throw new Error(`no other node leads after ${GIVE_UP_MS / 1000} s`)
    await delay(ASK_AGAIN_MS)
    after = await cluster.primary()
  }
  const newPrimaryAt = performance.now()
  const since = () => performance.now() - newPrimaryAt
  const measure = async (work: (isStopped: () => boolean) => Promise<void>) => {
    await work(() => since() > GIVE_UP_MS)
    return since()
  }
  const [sendMs, readyMs] = await Promise.all([
    Promise.all(webOf(members).map((member) => measure((isStopped) => sendThrough(member, isStopped)))),
    Promise.all(members.map((member) => measure((isStopped) => untilReady(member, isStopped)))),
  ])
  return { noPrimaryMs: newPrimaryAt - startedAt, sendMs, readyMs }
}

const webOf = (members: Member[]) => members.filter(({ role }) => role === 'web')

/** Returns the longest times of each process as a figure with the aim that none took longer than wanted. */
function backFigure(what: string, members: Member[], times: number[][]): Figure {
  const longest = members.map((_, i) => Math.max(...times.map((ofOne) => ofOne[i]!)))
  const each = members.map(({ role }, i) => `${role} ${Math.round(longest[i]!)} ms`).join(', ')
  return aim(
    what,
    each,
    'within 10 s',
    longest.every((ms) => ms < BACK_WITHIN_MS),
  )
}

async function breakCluster(
  cluster: PostgresCluster,
  members: Member[],
  sink: Awaited<ReturnType<typeof startMailSink>>,
  rounds: number,
  progress: (text: string) => void,
): Promise<Figure[]> {
  const web = webOf(members).map(({ url }) => url)
  const db = openForHarness(cluster.url)
  const nextPlate = await seedOwners(db, OWNERS)
  await db.end()
  const tokens = await Promise.all(
    Array.from({ length: CLIENTS }, (_, i) => signUpOverHttp(web[0]!, `sender${i}@example.com`)),
  )
  const acknowledged: Acknowledged = new Map()
  const counts = { tries: 0 }
  let [isStopped, isAborted] = [false, false]
  const clients = Promise.all(
    tokens.map(async (token) => {
      while (!isStopped) {
        await sendUntilAcknowledged(web, token, nextPlate(), acknowledged, counts, () => isAborted)
        await delay(PAUSE_MS * (0.5 + Math.random()))
      }
    }),
  )
  const untilSent = async (count: number) => {
    const goal = acknowledged.size + count
    const until = performance.now() + GIVE_UP_MS
    while (acknowledged.size < goal) {
      if (performance.now() > until) throw new Error(`${count} sends took more than ${GIVE_UP_MS / 1000} s`)
      await Promise.race([delay(50), clients])
    }
  }
  const sendThrough: SendThrough = ({ url }, isGivenUp) =>
    sendUntilAcknowledged([url], tokens[0]!, nextPlate(), acknowledged, counts, isGivenUp)
  const recover = (fault: (primary: string) => void | Promise<void>) =>
    Promise.race([
      recoverFrom(cluster, members, sendThrough, fault),
      clients.then(() => Promise.reject(new Error('the clients ended'))),
    ])
  const kills: Recovery[] = []
  const switchovers: Recovery[] = []
  try {
    for (let round = 0; round < rounds; round++) {
      await untilSent(SENDS_BETWEEN_FAULTS)
      let killed = ''
      const recovery = await recover((primary) => {
        killed = primary
        cluster.killNode(primary)
      })
      kills.push(recovery)
      cluster.startNode(killed)
      await cluster.untilHealthy()
      if (round % 2 === 1) {
        await untilSent(SENDS_BETWEEN_FAULTS)
        switchovers.push(await recover(() => cluster.switchover()))
        await cluster.untilHealthy()
      }
      progress(`${round + 1} of ${rounds}: back ${Math.round(Math.max(...recovery.sendMs))} ms after the new primary`)
    }
    await untilSent(SENDS_BETWEEN_FAULTS)
  } catch (error) {
    isAborted = true
    throw error
  } finally {
    isStopped = true
  }
  await withTimeout(clients, GIVE_UP_MS).catch((error) => {
    isAborted = true
    throw error
  })
  const after = openForHarness(cluster.url)
  const waiting = await waitForOutbox(after, MAILS_WITHIN_MS)
  const audit = await auditSends(after, acknowledged, sink, MAILS_WITHIN_MS)
  await after.end()
  const ended = members.filter((member) => !member.isRunning()).length
  const all = [...kills, ...switchovers]
  const noPrimaryMs = (of: Recovery[], part?: number) =>
    quantile(
      of.map((one) => one.noPrimaryMs),
      part,
    )
  return [
    note('kills of the primary’s node, switchovers', `${kills.length}, ${switchovers.length}`),
    note('tries that were not acknowledged, and repeated under their key', counts.tries - audit.acknowledged),
    ...auditFigures(audit),
    aim('mails missing, or still waiting', audit.mailMissing + waiting, '0', audit.mailMissing + waiting === 0),
    note('messages mailed twice', audit.mailDoubled),
    note('a kill: median and longest until another node leads', `${noPrimaryMs(kills)}, ${noPrimaryMs(kills, 1)} ms`),
    ...(switchovers.length > 0 ? [note('a switchover: median until it leads', `${noPrimaryMs(switchovers)} ms`)] : []),
    note('then until a send is acknowledged, median', `${quantile(all.flatMap(({ sendMs }) => sendMs))} ms`),
    backFigure(
      'then until a send through each is acknowledged, longest',
      webOf(members),
      all.map(({ sendMs }) => sendMs),
    ),
    backFigure(
      'then until /readyz of each says so, longest',
      members,
      all.map(({ readyMs }) => readyMs),
    ),
    aim('processes of the product that ended', ended, '0', ended === 0),
  ]
}

export const clusterFailover: Scenario = {
  title: 'A PostgreSQL cluster that loses its primary',
  description: `Needs Debian’s \`patroni\`, \`etcd-server\`, \`haproxy\` and \`postgresql\`. Three PostgreSQL under Patroni (synchronous, strict; lease 20 s), three etcd, HAProxy before them; two web processes and a worker. ${CLIENTS} clients send and repeat what is not acknowledged. In each round the node of the primary is killed with everything on it (kill -9) and rejoins later; after every second one the lead is handed over on purpose. After each of them a send goes through each web process, and every process is asked whether it is ready. One machine: what a network does is not in it.`,
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
