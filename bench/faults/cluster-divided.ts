import type { Scenario } from '../figures.ts'
import { type PassingFault, type PassingFaults, runPassingFaults } from './cluster-rejoin.ts'
import { CLIENTS } from './cluster-under-load.ts'
import type { CutFrom } from './divided-network.ts'

const cutFrom = (from: CutFrom): PassingFault => ({
  name: `cut off from ${from}`,
  begin: (cluster, node) => cluster.cutNode(node, from),
  end: (cluster, node) => cluster.mendNode(node),
})
const FAULTS: PassingFaults = {
  countedAs: 'times that a primary, the synchronous standby was cut off',
  ofPrimary: [cutFrom('the other nodes'), cutFrom('everything')],
  ofStandby: cutFrom('everything'),
}

export const clusterDivided: Scenario = {
  title: 'A PostgreSQL cluster whose network divides',
  description: `Needs root on Linux. The cluster and the load of the scenarios above, with a network namespace for each node and a cable between each two of them and the product, which is cut without telling anybody: what is sent is lost. In each round the node of the primary is cut off until another node leads: in turn from the other nodes only, so that the product and HAProxy still reach it, and from everything. It is mended in turn as soon as another node leads, and after every process of the product works again. After every second round the synchronous standby is cut off from everything until Patroni replaces it. ${CLIENTS} clients.`,
  rounds: 4,
  run: (rounds, progress) => runPassingFaults(FAULTS, rounds, progress, true),
}
