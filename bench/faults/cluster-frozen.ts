import type { Scenario } from '../figures.ts'
import { type PassingFault, type PassingFaults, runPassingFaults } from './cluster-rejoin.ts'
import { CLIENTS } from './cluster-under-load.ts'
import type { FrozenPart } from './postgres-cluster.ts'

const frozen = (part: FrozenPart): PassingFault => ({
  name: `${part} frozen`,
  begin: (cluster, node) => cluster.freezeNode(node, part),
  end: (cluster, node) => cluster.thawNode(node),
})
const FAULTS: PassingFaults = {
  countedAs: 'freezes of a primary, of the synchronous standby',
  ofPrimary: [frozen('machine'), frozen('PostgreSQL'), frozen('Patroni')],
  ofStandby: frozen('machine'),
}

export const clusterFrozen: Scenario = {
  title: 'A PostgreSQL cluster whose primary or standby freezes',
  description: `The cluster and the load of the scenario above. In each round something of the primary’s node is frozen (SIGSTOP: connections stay open, nothing answers) until after its lease another node leads: in turn the machine (PostgreSQL, Patroni and etcd), PostgreSQL alone, and Patroni alone beside a PostgreSQL that goes on. It then goes on where it stood (SIGCONT), in turn as soon as another node leads, and after every process of the product works again. After every second round the machine of the synchronous standby is frozen until Patroni replaces it; commits wait meanwhile. ${CLIENTS} clients. Older programs lose what was acknowledged here: docs/several-machines.md says which.`,
  rounds: 3,
  run: (rounds, progress) => runPassingFaults(FAULTS, rounds, progress),
}
