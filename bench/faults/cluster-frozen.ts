import { setTimeout as delay } from 'node:timers/promises'
import { aim, type Figure, note, quantile, type Scenario } from '../figures.ts'
import {
  backFigures,
  CLIENTS,
  type ClusterRole,
  type ClusterUnderLoad,
  type Recovery,
  withClusterUnderLoad,
} from './cluster-under-load.ts'
import type { FrozenPart } from './postgres-cluster.ts'

const PARTS: FrozenPart[] = ['machine', 'PostgreSQL', 'Patroni']
const WATCH_EVERY_MS = 200
const GOES_ON_WITHIN_MS = 10_000

type Freeze = Recovery & {
  part: FrozenPart
  /** The longest time without an acknowledged send from the thaw until the node has rejoined. */
  pauseMs: number
}

/** Runs some work, and returns at how many looks meanwhile two nodes said that they lead. */
async function countDoubles({ cluster }: ClusterUnderLoad, work: () => Promise<void>): Promise<number> {
  let [isOver, doubles] = [false, 0]
  const watch = async () => {
    while (!isOver) {
      if ((await cluster.leaders()).length > 1) doubles++
      await delay(WATCH_EVERY_MS)
    }
  }
  const watching = watch()
  try {
    await work()
  } finally {
    isOver = true
    await watching
  }
  return doubles
}

/**
 * Freezes a part of the primary's node in each round until another node leads, and lets it go on, in turn at once and after every
 * process works again; after every second round the machine of the synchronous standby freezes too. Ends when a node does not
 * rejoin by itself.
 */
async function freezeCluster(running: ClusterUnderLoad, rounds: number, progress: (text: string) => void) {
  const { cluster, untilSent, recover, giveUp, longestPauseMs } = running
  const seen = { primaries: [] as Freeze[], standbys: [] as Freeze[], doubles: 0, stuck: 0 }
  const freeze = async (role: ClusterRole, part: FrozenPart, goesOnAtOnce: boolean): Promise<Freeze> => {
    await untilSent()
    let [frozen, thawedAt] = ['', 0]
    const thaw = () => {
      thawedAt ||= performance.now()
      cluster.thawNode(frozen)
    }
    const recovery = await recover(
      role,
      (node) => {
        frozen = node
        cluster.freezeNode(node, part)
      },
      () => goesOnAtOnce && thaw(),
    )
    thaw()
    const rejoin = async () => {
      await cluster.untilHealthy().catch((error: Error) => {
        progress(error.message)
        seen.stuck++
      })
    }
    seen.doubles += await countDoubles(running, rejoin)
    return { part, ...recovery, pauseMs: longestPauseMs(thawedAt) }
  }
  for (let round = 0; round < rounds && seen.stuck === 0; round++) {
    const recovery = await freeze('primary', PARTS[round % PARTS.length]!, round % 2 === 1)
    seen.primaries.push(recovery)
    if (round % 2 === 1 && seen.stuck === 0) seen.standbys.push(await freeze('syncStandby', 'machine', false))
    progress(
      `${round + 1} of ${rounds}: ${recovery.part} frozen, replaced after ${Math.round(recovery.replacedMs)} ms, back ${Math.round(Math.max(...recovery.sendMs))} ms later`,
    )
  }
  if (seen.stuck > 0) giveUp()
  else await untilSent()
  return seen
}

const replaced = (of: Freeze[]) => {
  const times = of.map(({ replacedMs }) => replacedMs)
  return `${quantile(times)}, ${quantile(times, 1)} ms`
}

export const clusterFrozen: Scenario = {
  title: 'A PostgreSQL cluster whose primary or standby freezes',
  description: `The cluster and the load of the scenario above. In each round something of the primary’s node is frozen (SIGSTOP: connections stay open, nothing answers) until after its lease another node leads: in turn the machine (PostgreSQL, Patroni and etcd), PostgreSQL alone, and Patroni alone beside a PostgreSQL that goes on. It then goes on where it stood (SIGCONT), in turn as soon as another node leads, and after every process of the product works again. After every second round the machine of the synchronous standby is frozen until Patroni replaces it; commits wait meanwhile. ${CLIENTS} clients. Older programs lose what was acknowledged here: docs/several-machines.md says which.`,
  rounds: 3,
  async run(rounds, progress): Promise<Figure[]> {
    const { result, stored, ended, members } = await withClusterUnderLoad((running) =>
      freezeCluster(running, rounds, progress),
    )
    const { primaries, standbys, doubles, stuck } = result
    const pauseMs = Math.round(Math.max(...[...primaries, ...standbys].map((one) => one.pauseMs)))
    return [
      note('freezes of a primary, of the synchronous standby', `${primaries.length}, ${standbys.length}`),
      ...stored,
      ...PARTS.flatMap((part) => {
        const of = primaries.filter((one) => one.part === part)
        if (of.length === 0) return []
        return [note(`primary, ${part} frozen: median and longest until another node leads`, replaced(of))]
      }),
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
      ended,
    ]
  },
}
