import { spawnSync } from 'node:child_process'

/** What a node is cut off from: everything, the product too, or only the other nodes, so that the product still reaches it. */
export type CutFrom = 'everything' | 'the other nodes'

/** A network of nodes and of this machine, on which the product runs, with a cable between each two of them. */
type DividedNetwork = {
  /** The addresses of all of it. */
  range: string
  addressOf(node: string): string
  /** Returns the command that runs another one on a node, as an account. */
  commandOn(node: string, account: { uid: number; gid: number } | undefined): string[]
  /** Cuts cables of a node: what is sent over them is lost, and nobody is told. */
  cut(node: string, from: CutFrom): void
  /** Makes all cables of a node whole again. */
  mend(node: string): void
  isCutFromHere(node: string): boolean
  /** Takes all of it away; what still runs on a node keeps what it has. */
  remove(): void
}

/** For benchmarks (RFC 2544): no network that somebody uses has these addresses. */
const RANGE = '198.18.77'
const HERE = 'here'

function ip(...args: string[]): void {
  const { status, stderr, error } = spawnSync('ip', args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`ip ${args.join(' ')}: ${error?.message ?? stderr}`)
}

/**
 * Makes a network on this machine, which needs root on Linux: each node has a network namespace, and each cable is a bridge with two
 * ends, so that a cut one looks as it does between machines. Its interfaces begin with `pn` and the id of this process.
 */
export function createDividedNetwork(nodes: string[]): DividedNetwork {
  if (process.getuid?.() !== 0) throw new Error('a network that can be divided needs root on Linux')
  const prefix = `pn${process.pid}`
  const namespaceOf = (node: string) => `${prefix}-${node}`
  const members = [HERE, ...nodes]
  const addressOf = (member: string) => `${RANGE}.${members.indexOf(member) + 1}`
  const within = (member: string) => (member === HERE ? [] : ['-n', namespaceOf(member)])
  const pairs = members.flatMap((one, i) => members.slice(i + 1).map((other) => [one, other] as const))
  const cables = pairs.map(([one, other], i) => ({
    bridge: `${prefix}-${i}`,
    ends: [
      { member: one, other, port: `${prefix}-${i}a` },
      { member: other, other: one, port: `${prefix}-${i}b` },
    ],
  }))
  const cablesOf = (node: string) => cables.filter(({ ends }) => ends.some(({ member }) => member === node))
  /** A port that belongs to no bridge is still up: nothing notices but by what does not come. */
  const plug = ({ bridge, ends }: (typeof cables)[number], isWhole: boolean) => {
    for (const { port } of ends) ip('link', 'set', port, ...(isWhole ? ['master', bridge] : ['nomaster']))
  }
  const cutOff = new Set<string>()

  const remove = () => {
    for (const { bridge, ends } of cables) {
      spawnSync('ip', ['link', 'del', bridge])
      for (const { port } of ends) spawnSync('ip', ['link', 'del', port])
    }
    for (const node of nodes) spawnSync('ip', ['netns', 'del', namespaceOf(node)])
  }

  try {
    for (const node of nodes) {
      ip('netns', 'add', namespaceOf(node))
      ip(...within(node), 'link', 'set', 'lo', 'up')
      ip(...within(node), 'address', 'add', `${addressOf(node)}/32`, 'dev', 'lo')
    }
    for (const cable of cables) {
      ip('link', 'add', cable.bridge, 'type', 'bridge')
      ip('link', 'set', cable.bridge, 'up')
      for (const { member, other, port } of cable.ends) {
        const [end, at] = [`${port}x`, within(member)]
        const namespace = member === HERE ? [] : ['netns', namespaceOf(member)]
        ip('link', 'add', port, 'type', 'veth', 'peer', 'name', end, ...namespace)
        ip('link', 'set', port, 'up')
        ip(...at, 'link', 'set', end, 'up')
        // goes with the cable: the machine itself is not to keep an address
        if (member === HERE) ip('address', 'add', `${addressOf(HERE)}/32`, 'dev', end)
        ip(...at, 'route', 'add', `${addressOf(other)}/32`, 'dev', end, 'src', addressOf(member))
      }
      plug(cable, true)
    }
  } catch (error) {
    remove()
    throw error
  }

  return {
    range: `${RANGE}.0/24`,
    addressOf,
    commandOn: (node, account) => [
      'nsenter',
      `--net=/run/netns/${namespaceOf(node)}`,
      ...(account ? [`--setuid=${account.uid}`, `--setgid=${account.gid}`] : []),
    ],
    cut(node, from) {
      const isHere = ({ ends }: (typeof cables)[number]) => ends.some(({ member }) => member === HERE)
      for (const cable of cablesOf(node)) if (from === 'everything' || !isHere(cable)) plug(cable, false)
      if (from === 'everything') cutOff.add(node)
    },
    mend(node) {
      for (const cable of cablesOf(node)) plug(cable, true)
      cutOff.delete(node)
    },
    isCutFromHere: (node) => cutOff.has(node),
    remove,
  }
}
