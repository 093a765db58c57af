import { rmSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { aim, type Figure, none, note } from '../figures.ts'
import { type Member, makeFolder, openDatabase, seedOwners, startMember } from '../installation.ts'
import { auditFigures, auditSends } from './audit.ts'
import { startMailSink } from './mail-sink.ts'
import { type PostgresCluster, startPostgresCluster } from './postgres-cluster.ts'
import { type Clients, GIVE_UP_MS, sendUntilAcknowledged, startClients, waitForOutbox } from './senders.ts'

export const CLIENTS = 8
const OWNERS = 40_000
const PAUSE_MS = 100
const SENDS_BETWEEN_FAULTS = 100
const BACK_WITHIN_MS = 10_000
const MAILS_WITHIN_MS = 120_000
const ASK_TIMEOUT_MS = 2_000
const ASK_AGAIN_MS = 50

/** What a fault cost: the time until the cluster has replaced a node, and from then until each process sends and is ready again. */
export type Recovery = { replacedMs: number; sendMs: number[]; readyMs: number[] }
/** The node of the cluster that a fault hits: the one that leads, or the standby that commits wait for. */
export type ClusterRole = 'primary' | 'syncStandby'

/** A cluster with the product on it, under load. */
export type ClusterUnderLoad = {
  cluster: PostgresCluster
  /** Resolves once enough was sent since the fault before. */
  untilSent(): Promise<void>
  /**
   * Runs a fault of the node in a role and measures until another node has it, and from then until every process works again
   * by itself.
   *
   * @param onReplaced called as soon as another node has the role
   */
  recover(role: ClusterRole, fault: (node: string) => void | Promise<void>, onReplaced?: () => void): Promise<Recovery>
  /** Lets the clients repeat nothing any more, when the cluster will not take it. */
  giveUp(): void
  /** Returns the longest time without an acknowledged send since a moment. */
  longestPauseMs(since: number): number
}

const isReady = async ({ url }: Member): Promise<boolean> => {
  const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(ASK_TIMEOUT_MS) }).catch(() => undefined)
  await response?.arrayBuffer().catch(() => {})
  return response?.status === 200
}

async function untilReady(member: Member, isStopped: () => boolean): Promise<void> {
  while (!isStopped() && !(await isReady(member))) await delay(ASK_AGAIN_MS)
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

/** Returns how long the processes took to work again after faults, as figures. */
export const backFigures = (members: Member[], recoveries: Recovery[], prefix = ''): Figure[] => [
  backFigure(
    `${prefix}then until a send through each is acknowledged, longest`,
    webOf(members),
    recoveries.map(({ sendMs }) => sendMs),
  ),
  backFigure(
    `${prefix}then until /readyz of each says so, longest`,
    members,
    recoveries.map(({ readyMs }) => readyMs),
  ),
]

/**
 * Breaks a cluster with the product on it while clients send and repeat what is not acknowledged, and compares everything
 * acknowledged with what is stored and mailed.
 *
 * @returns the result of `breakIt` with the members, and the figures that hold whatever was broken
 */
export async function withClusterUnderLoad<Result>(
  breakIt: (running: ClusterUnderLoad, members: Member[]) => Promise<Result>,
  canBeDivided = false,
): Promise<{ result: Result; stored: Figure[]; ended: Figure; members: Member[] }> {
  const sink = await startMailSink()
  const cluster = await startPostgresCluster(canBeDivided)
  const dataDir = makeFolder()
  const members: Member[] = []
  let isFailed = true
  try {
    const env = { DATABASE_URL: cluster.url, DATA_DIR: dataDir, SMTP_URL: sink.url }
    for (const role of ['web', 'web', 'worker'] as const) members.push(await startMember(role, env))
    const db = openDatabase(cluster.url)
    const nextPlate = await seedOwners(db, OWNERS)
    await db.end()
    const load = await startClients(
      webOf(members).map(({ url }) => url),
      nextPlate,
      CLIENTS,
      PAUSE_MS,
    )
    const result = await load.whileSending(() => breakIt(createRunning(cluster, members, load, nextPlate), members))
    const after = openDatabase(cluster.url)
    const waiting = await waitForOutbox(after, MAILS_WITHIN_MS)
    const audit = await auditSends(after, load.acknowledged, sink, MAILS_WITHIN_MS)
    await after.end()
    const ended = members.filter((member) => !member.isRunning()).length
    isFailed = load.isGivenUp() || audit.lost > 0
    return {
      result,
      members,
      stored: [
        note('programs', cluster.versions),
        note('tries that were not acknowledged, and repeated under their key', load.counts.tries - audit.acknowledged),
        ...auditFigures(audit),
        none('mails missing, or still waiting', audit.mailMissing + waiting),
        note('messages mailed twice', audit.mailDoubled),
      ],
      ended: none('processes of the product that ended', ended),
    }
  } finally {
    for (const member of members) await member.kill()
    await cluster.stop(isFailed)
    await sink.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

function createRunning(
  cluster: PostgresCluster,
  members: Member[],
  { token, acknowledged, counts, giveUp }: Clients,
  nextPlate: () => string,
): ClusterUnderLoad {
  const sendThrough = ({ url }: Member, isGivenUp: () => boolean) =>
    sendUntilAcknowledged([url], token, nextPlate(), acknowledged, counts, isGivenUp)
  const momentsSince = (since: number) => [...acknowledged.values()].map(({ at }) => at).filter((at) => at >= since)

  return {
    cluster,
    giveUp,
    async untilSent() {
      const since = performance.now()
      while (momentsSince(since).length < SENDS_BETWEEN_FAULTS) {
        if (performance.now() - since > GIVE_UP_MS)
          throw new Error(`${SENDS_BETWEEN_FAULTS} sends took more than ${GIVE_UP_MS / 1000} s`)
        await delay(50)
      }
    },
    async recover(role, fault, onReplaced = () => {}) {
      const before = await cluster[role]()
      if (before === undefined) throw new Error(`there is no ${role}`)
      const startedAt = performance.now()
      await fault(before)
      let after = await cluster[role]()
      while (after === undefined || after === before) {
        if (performance.now() - startedAt > GIVE_UP_MS)
          throw new Error(`no other node is the ${role} after ${GIVE_UP_MS / 1000} s`)
        await delay(ASK_AGAIN_MS)
        after = await cluster[role]()
      }
      const replacedAt = performance.now()
      onReplaced()
      const since = () => performance.now() - replacedAt
      const measure = async (work: (isStopped: () => boolean) => Promise<void>) => {
        await work(() => since() > GIVE_UP_MS)
        return since()
      }
      const [sendMs, readyMs] = await Promise.all([
        Promise.all(webOf(members).map((member) => measure((isStopped) => sendThrough(member, isStopped)))),
        Promise.all(members.map((member) => measure((isStopped) => untilReady(member, isStopped)))),
      ])
      return { replacedMs: replacedAt - startedAt, sendMs, readyMs }
    },
    longestPauseMs(since) {
      const moments = [since, ...momentsSince(since).sort((a, b) => a - b), performance.now()]
      return Math.max(...moments.slice(1).map((at, i) => at - moments[i]!))
    },
  }
}
