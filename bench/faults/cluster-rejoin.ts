import { setTimeout as delay } from 'node:timers/promises'
import { aim, type Figure, note, quantile } from '../figures.ts'
import {
  backFigures,
  type ClusterRole,
  type ClusterUnderLoad,
  type Recovery,
  withClusterUnderLoad,
} from './cluster-under-load.ts'
import type { Member } from './installation.ts'
import type { PostgresCluster } from './postgres-cluster.ts'

const WATCH_EVERY_MS = 200
const GOES_ON_WITHIN_MS = 10_000

/** A fault of a node that ends, after which the node rejoins by itself. */
export type PassingFault = {
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
export type PassingFaults = { countedAs: string; ofPrimary: PassingFault[]; ofStandby: PassingFault }

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
  return `${quantile(times)}, ${quantile(times, 1)} ms`
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
    aim('nodes that did not rejoin by themselves', stuck, '0', stuck === 0),
    aim('looks at which two nodes said that they lead', doubles, '0', doubles === 0),
  ]
}

/** Breaks a cluster under load with faults that end, and returns what came of them as figures. */
export async function runPassingFaults(
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
