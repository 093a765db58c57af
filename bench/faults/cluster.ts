import { type Figure, formatMs, note, type Scenario } from '../figures.ts'
import {
  backFigures,
  CLIENTS,
  type ClusterUnderLoad,
  type Recovery,
  withClusterUnderLoad,
} from './cluster-under-load.ts'

const replaced = (of: Recovery[], part?: number) =>
  formatMs(
    of.map(({ replacedMs }) => replacedMs),
    part,
  )

/** Kills the node of the primary in each round, and hands the lead over after every second one. */
async function breakCluster(
  { cluster, untilSent, recover }: ClusterUnderLoad,
  rounds: number,
  progress: (text: string) => void,
) {
  const kills: Recovery[] = []
  const switchovers: Recovery[] = []
  for (let round = 0; round < rounds; round++) {
    await untilSent()
    let killed = ''
    const recovery = await recover('primary', (primary) => {
      killed = primary
      cluster.killNode(primary)
    })
    kills.push(recovery)
    cluster.startNode(killed)
    await cluster.untilHealthy()
    if (round % 2 === 1) {
      await untilSent()
      switchovers.push(await recover('primary', () => cluster.switchover()))
      await cluster.untilHealthy()
    }
    progress(`${round + 1} of ${rounds}: back ${Math.round(Math.max(...recovery.sendMs))} ms after the new primary`)
  }
  await untilSent()
  return { kills, switchovers }
}

export const clusterFailover: Scenario = {
  title: 'A PostgreSQL cluster that loses its primary',
  description: `Needs Debian’s \`patroni\`, \`etcd-server\`, \`haproxy\` and \`postgresql\`. Three PostgreSQL under Patroni (synchronous, strict; lease 20 s), three etcd, HAProxy before them; two web processes and a worker. ${CLIENTS} clients send and repeat what is not acknowledged. In each round the node of the primary is killed with everything on it (kill -9) and rejoins later; after every second one the lead is handed over on purpose. After each of them a send goes through each web process, and every process is asked whether it is ready. One machine: what a network does is not in it.`,
  rounds: 4,
  async run(rounds, progress): Promise<Figure[]> {
    const { result, stored, ended, members } = await withClusterUnderLoad((running) =>
      breakCluster(running, rounds, progress),
    )
    const { kills, switchovers } = result
    const all = [...kills, ...switchovers]
    return [
      note('kills of the primary’s node, switchovers', `${kills.length}, ${switchovers.length}`),
      ...stored,
      note('a kill: median and longest until another node leads', `${replaced(kills)}, ${replaced(kills, 1)}`),
      ...(switchovers.length > 0 ? [note('a switchover: median until it leads', replaced(switchovers))] : []),
      note('then until a send is acknowledged, median', formatMs(all.flatMap(({ sendMs }) => sendMs))),
      ...backFigures(members, all),
      ended,
    ]
  },
}
