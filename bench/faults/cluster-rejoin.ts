import { setTimeout as delay } from 'node:timers/promises'
import { aim, type Figure, formatMs, none, note, type Scenario } from '../figures.ts'
import type { Member } from '../installation.ts'
import {
  backFigures,
  CLIENTS,
  type ClusterRole,
  type ClusterUnderLoad,
  type Recovery,
  withClusterUnderLoad,
} from './cluster-under-load.ts'
import type { CutFrom } from './divided-network.ts'
import type { FrozenPart, PostgresCluster } from './postgres-cluster.ts'

const WATCH_EVERY_MS = 200
const GOES_ON_WITHIN_MS = 10_000

/** A fault of a node that ends, after which the node rejoins by itself. */
type PassingFault = {
  /** What the node is meanwhile, as in 'machine frozen'. */
  name: string
  begin(cluster: PostgresCluster, node: string): void
  end(cluster: PostgresCluster, node: string): void
}

type Passed = Recovery & {
  fault: string
  /** The longest time without an acknowledged send from the end of the fault until the node has rejoined. */
  pauseMs: number
}

/** The faults of a scenario, and the name of the figure that counts them. */
type PassingFaults = { countedAs: string; ofPrimary: PassingFault[]; ofStandby: PassingFault }

/** What came of the faults; `doubles` are the looks at which two nodes said that they lead. */
type Rejoins = { primaries: Passed[]; standbys: Passed[]; doubles: number; stuck: number }

/** Runs some work, and returns its result, and at how many looks meanwhile two nodes said that they lead. */
async function watchLeaders<T>({ cluster }: ClusterUnderLoad, work: () => Promise<T>) {
  let [isOver, doubles] = [false, 0]
  const watch = async () => {
    while (!isOver) {
      if ((await cluster.leaders()).length > 1) doubles++
      await delay(WATCH_EVERY_MS)
    }
  }
  const watching = watch()
  try {
    const result = await work()
    isOver = true
    await watching
    return { result, doubles }
  } finally {
    isOver = true
  }
}

/**
 * Breaks the primary's node in each round, in turn with each of the faults, until another node leads, and ends the fault, in turn at
 * once and after every process works again; after every second round the synchronous standby has its fault too. Ends when a node
 * does not rejoin by itself.
 */
async function breakAndRejoin(
  running: ClusterUnderLoad,
  rounds: number,
  { ofPrimary, ofStandby }: PassingFaults,
  progress: (text: string) => void,
): Promise<Rejoins> {
  const { cluster, untilSent, recover, giveUp, longestPauseMs } = running
  const seen: Rejoins = { primaries: [], standbys: [], doubles: 0, stuck: 0 }
  const breakOnce = async (role: ClusterRole, fault: PassingFault, endsAtOnce: boolean): Promise<Passed> => {
    await untilSent()
    let [broken, endedAt] = ['', 0]
    const end = () => {
      if (endedAt === 0) fault.end(cluster, broken)
      endedAt ||= performance.now()
    }
    const { result: recovery, doubles } = await watchLeaders(running, async () => {
      const begin = (node: string) => {
        broken = node
        fault.begin(cluster, node)
      }
      const measured = await recover(role, begin, () => endsAtOnce && end())
      end()
      await cluster.untilHealthy().catch((error: Error) => {
        progress(error.message)
        seen.stuck++
      })
      return measured
    })
    seen.doubles += doubles
    return { fault: fault.name, ...recovery, pauseMs: longestPauseMs(endedAt) }
  }
  for (let round = 0; round < rounds && seen.stuck === 0; round++) {
    const recovery = await breakOnce('primary', ofPrimary[round % ofPrimary.length]!, round % 2 === 1)
    seen.primaries.push(recovery)
    if (round % 2 === 1 && seen.stuck === 0) seen.standbys.push(await breakOnce('syncStandby', ofStandby, false))
    progress(
      `${round + 1} of ${rounds}: ${recovery.fault}, replaced after ${Math.round(recovery.replacedMs)} ms, back ${Math.round(Math.max(...recovery.sendMs))} ms later`,
    )
  }
  if (seen.stuck > 0) giveUp()
  else await untilSent()
  return seen
}

const replaced = (of: Passed[]) => {
  const times = of.map(({ replacedMs }) => replacedMs)
  return `${formatMs(times)}, ${formatMs(times, 1)}`
}

/** Returns what came of the faults as figures. */
function rejoinFigures({ primaries, standbys, doubles, stuck }: Rejoins, members: Member[]): Figure[] {
  const pauseMs = Math.round(Math.max(...[...primaries, ...standbys].map((one) => one.pauseMs)))
  return [
    ...[...Map.groupBy(primaries, ({ fault }) => fault)].map(([fault, of]) =>
      note(`primary, ${fault}: median and longest until another node leads`, replaced(of)),
    ),
    ...backFigures(members, primaries, 'primary: '),
    ...(standbys.length > 0
      ? [
          note('standby: median and longest until another is synchronous', replaced(standbys)),
          ...backFigures(members, standbys, 'standby: '),
        ]
      : []),
    aim(
      'after a node goes on: longest time without an acknowledged send',
      `${pauseMs} ms`,
      'within 10 s',
      pauseMs < GOES_ON_WITHIN_MS,
    ),
    none('nodes that did not rejoin by themselves', stuck),
    none('looks at which two nodes said that they lead', doubles),
  ]
}

/** Breaks a cluster under load with faults that end, and returns what came of them as figures. */
async function runPassingFaults(
  faults: PassingFaults,
  rounds: number,
  progress: (text: string) => void,
  canBeDivided = false,
): Promise<Figure[]> {
  const { result, stored, ended, members } = await withClusterUnderLoad(
    (running) => breakAndRejoin(running, rounds, faults, progress),
    canBeDivided,
  )
  const { primaries, standbys } = result
  return [
    note(faults.countedAs, `${primaries.length}, ${standbys.length}`),
    ...stored,
    ...rejoinFigures(result, members),
    ended,
  ]
}

const frozen = (part: FrozenPart): PassingFault => ({
  name: `${part} frozen`,
  begin: (cluster, node) => cluster.freezeNode(node, part),
  end: (cluster, node) => cluster.thawNode(node),
})
const FREEZES: PassingFaults = {
  countedAs: 'freezes of a primary, of the synchronous standby',
  ofPrimary: [frozen('machine'), frozen('PostgreSQL'), frozen('Patroni')],
  ofStandby: frozen('machine'),
}

export const clusterFrozen: Scenario = {
  title: 'A PostgreSQL cluster whose primary or standby freezes',
  description: `The cluster and the load of the scenario above. In each round something of the primary’s node is frozen (SIGSTOP: connections stay open, nothing answers) until after its lease another node leads: in turn the machine (PostgreSQL, Patroni and etcd), PostgreSQL alone, and Patroni alone beside a PostgreSQL that goes on. It then goes on where it stood (SIGCONT), in turn as soon as another node leads, and after every process of the product works again. After every second round the machine of the synchronous standby is frozen until Patroni replaces it; commits wait meanwhile. ${CLIENTS} clients. Older programs lose what was acknowledged here: docs/operations.md says which.`,
  rounds: 3,
  run: (rounds, progress) => runPassingFaults(FREEZES, rounds, progress),
}

const cutFrom = (from: CutFrom): PassingFault => ({
  name: `cut off from ${from}`,
  begin: (cluster, node) => cluster.cutNode(node, from),
  end: (cluster, node) => cluster.mendNode(node),
})
const CUTS: PassingFaults = {
  countedAs: 'times that a primary, the synchronous standby was cut off',
  ofPrimary: [cutFrom('the other nodes'), cutFrom('everything')],
  ofStandby: cutFrom('everything'),
}

export const clusterDivided: Scenario = {
  title: 'A PostgreSQL cluster whose network divides',
  description: `Needs root on Linux. The cluster and the load of the scenarios above, with a network namespace for each node and a cable between each two of them and the product, which is cut without telling anybody: what is sent is lost. In each round the node of the primary is cut off until another node leads: in turn from the other nodes only, so that the product and HAProxy still reach it, and from everything. It is mended in turn as soon as another node leads, and after every process of the product works again. After every second round the synchronous standby is cut off from everything until Patroni replaces it. ${CLIENTS} clients.`,
  rounds: 4,
  run: (rounds, progress) => runPassingFaults(CUTS, rounds, progress, true),
}
