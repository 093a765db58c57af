import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { findFreePort } from '../../server/src/test/free-port.ts'
import { endOnInterrupt } from '../installation.ts'
import { type CutFrom, createDividedNetwork } from './divided-network.ts'
import { findPostgresPrograms, freezeTrees, signal, unprivilegedAccount } from './machine.ts'

const PASSWORD = 'loopback-only'
const NODES = ['one', 'two', 'three']
const LOOPBACK = { address: '127.0.0.1', range: '127.0.0.1/32' }
/** Seconds after which a leader that does not renew its lease has lost it; Patroni's own default is 30. */
const LEASE_S = 20
/** What a former primary needs to find where it and the new one parted, after a checkpoint too. */
const WAL_KEEP_SIZE = '1GB'
const READY_MS = 90_000
const ASK_TIMEOUT_MS = 2_000

type Ports = { postgres: number; rest: number; client: number; peer: number }
/** A node as Patroni lists it. */
type Member = { name: string; role: string }
/** A standby as the primary sees it. */
type Replication = { state: string; sync_state: string }
type Node = {
  name: string
  address: string
  ports: Ports
  patroni?: ChildProcess
  etcd?: ChildProcess
  thaw?: () => void
}

/** What of a node stands still: everything, as on a machine that stalls, or only one of its programs. */
export type FrozenPart = 'machine' | 'PostgreSQL' | 'Patroni'

/** Three PostgreSQL of which one is the primary, and the port that leads there. */
export type PostgresCluster = {
  /** The database as the product reaches it. */
  url: string
  /** The programs it is made of, each with its version. */
  versions: string
  /** Returns the name of the node that says it is the primary and takes writes, or undefined while there is none. */
  primary(): Promise<string | undefined>
  /** Returns the names of all nodes that say so at this moment: more than one would be a fault. */
  leaders(): Promise<string[]>
  /** Returns the name of the standby that commits wait for, or undefined while there is none. */
  syncStandby(): Promise<string | undefined>
  /** Resolves once every standby follows the primary and one of them is synchronous, and every etcd has a leader. */
  untilHealthy(): Promise<void>
  /** Kills a node with everything on it: Patroni first, so that it starts nothing again, then the server. */
  killNode(name: string): void
  /** Stops a node where it stands (SIGSTOP): its connections stay open, and nothing answers. */
  freezeNode(name: string, part: FrozenPart): void
  /** Lets a frozen node go on where it stood. */
  thawNode(name: string): void
  /** Cuts a node off the network, where the cluster has one that can be divided. */
  cutNode(name: string, from: CutFrom): void
  /** Gives it back to the network. */
  mendNode(name: string): void
  /** Starts a node again, which rejoins as a standby. */
  startNode(name: string): void
  /** Hands the lead over on purpose, as for maintenance. */
  switchover(): Promise<void>
  /** Ends all of it. Of a run that failed the logs stay. */
  stop(isFailed: boolean): Promise<void>
}

/**
 * The settings under which nothing acknowledged is lost: a commit waits for a standby (`synchronous_mode_strict` also while
 * there is none), and `synchronous_commit` stays on; and under which a former primary rejoins without a hand.
 * docs/operations.md names them.
 */
const patroniSettings = (folder: string, node: Node, etcd: string, bin: string, range: string) => ({
  scope: 'platenote',
  name: node.name,
  restapi: { listen: `${node.address}:${node.ports.rest}` },
  etcd3: { hosts: etcd },
  bootstrap: {
    dcs: {
      ttl: LEASE_S,
      loop_wait: 5,
      retry_timeout: 5,
      // a primary whose server died is replaced at once, not restarted first
      primary_start_timeout: 0,
      master_start_timeout: 0, // its name before Patroni 3
      synchronous_mode: true,
      synchronous_mode_strict: true,
      postgresql: {
        use_pg_rewind: true,
        parameters: { synchronous_commit: 'on', max_connections: 100, wal_keep_size: WAL_KEEP_SIZE },
      },
    },
    initdb: [{ encoding: 'UTF8' }, { locale: 'C' }],
  },
  postgresql: {
    listen: `${node.address}:${node.ports.postgres}`,
    data_dir: join(folder, node.name, 'data'),
    bin_dir: bin,
    remove_data_directory_on_rewind_failure: true,
    pgpass: join(folder, node.name, 'pgpass'),
    authentication: {
      superuser: { username: 'app', password: PASSWORD },
      replication: { username: 'replicator', password: PASSWORD },
      rewind: { username: 'rewinder', password: PASSWORD },
    },
    pg_hba: [
      'local all all trust',
      `host all all ${range} scram-sha-256`,
      `host replication all ${range} scram-sha-256`,
    ],
    parameters: { unix_socket_directories: join(folder, node.name), password_encryption: 'scram-sha-256' },
  },
})

/** HAProxy asks Patroni every second who leads, and ends the connections to who no longer does. */
const haproxySettings = (port: number, nodes: Node[]) => `
global
  maxconn 500
defaults
  mode tcp
  timeout connect 2s
  timeout client 1h
  timeout server 1h
listen primary
  bind 127.0.0.1:${port}
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 1s fastinter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
${nodes.map(({ name, address, ports }) => `  server ${name} ${address}:${ports.postgres} check port ${ports.rest}`).join('\n')}
`

function requirePrograms(): string {
  const missing = ['patroni', 'etcd', 'haproxy'].filter(
    (program) => spawnSync('sh', ['-c', `command -v ${program}`], { env: { PATH: searchPath } }).status !== 0,
  )
  const bin = findPostgresPrograms()
  if (missing.length > 0 || !bin)
    throw new Error(
      `${[...missing, ...(bin ? [] : ['postgresql'])].join(', ')} missing: install Debian's patroni, etcd-server, haproxy and postgresql`,
    )
  return bin
}

const searchPath = `${process.env['PATH']}:/usr/sbin`

/** Returns a program with the version that it says of itself. */
function versionOf(name: string, program: string, option: string): string {
  const { stdout } = spawnSync(program, [option], { env: { PATH: searchPath }, encoding: 'utf8' })
  return `${name} ${/\d+(?:\.\d+)+/.exec(stdout)?.[0] ?? 'of an unknown version'}`
}

/**
 * Starts three etcd, three Patroni with a PostgreSQL each, and HAProxy before them, all on this machine.
 *
 * @param canBeDivided whether each node gets an address in a network of its own, which needs root
 */
export async function startPostgresCluster(canBeDivided = false): Promise<PostgresCluster> {
  const bin = requirePrograms()
  const account = unprivilegedAccount()
  const network = canBeDivided ? createDividedNetwork(NODES) : undefined
  const dividedNetwork = () => {
    if (!network) throw new Error('this cluster was started without a network that can be divided')
    return network
  }
  const folder = mkdtempSync(join(tmpdir(), 'platenote-cluster-'))
  const own = (path: string) => account && chownSync(path, account.uid, account.gid)
  own(folder)
  const others: ChildProcess[] = []
  const run = (log: string, command: string[], on?: Node) => {
    const output = openSync(join(folder, `${log}.log`), 'a')
    const prefix = on && network ? network.commandOn(on.name, account) : []
    const [program = '', ...args] = [...prefix, ...command]
    return spawn(program, args, {
      // who enters a network changes the account there
      ...(prefix.length === 0 && account),
      cwd: folder,
      env: { PATH: searchPath, LANG: 'C.UTF-8' },
      stdio: ['ignore', output, output],
    })
  }
  const nodes: Node[] = []
  for (const name of NODES) {
    const [postgres, rest, client, peer] = [
      await findFreePort(),
      await findFreePort(),
      await findFreePort(),
      await findFreePort(),
    ]
    nodes.push({ name, address: network?.addressOf(name) ?? LOOPBACK.address, ports: { postgres, rest, client, peer } })
    mkdirSync(join(folder, name), { mode: 0o700 })
    own(join(folder, name))
  }
  const etcdHosts = nodes.map(({ address, ports }) => `${address}:${ports.client}`).join(',')
  const peers = nodes.map(({ name, address, ports }) => `${name}=http://${address}:${ports.peer}`).join(',')
  for (const node of nodes) {
    const { name, address, ports } = node
    const [client, peer] = [`http://${address}:${ports.client}`, `http://${address}:${ports.peer}`]
    const command = [
      ...['etcd', '--name', name, '--data-dir', join(folder, name, 'etcd')],
      ...['--listen-client-urls', client, '--advertise-client-urls', client],
      ...['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer, '--initial-cluster', peers],
    ]
    node.etcd = run(`etcd-${name}`, command, node)
    others.push(node.etcd)
  }

  const find = (name: string) => nodes.find((one) => one.name === name)!
  const startNode = (name: string) => {
    const node = find(name)
    const settings = join(folder, `${name}.yml`)
    // JSON is YAML
    const { range } = network ?? LOOPBACK
    writeFileSync(settings, JSON.stringify(patroniSettings(folder, node, etcdHosts, bin, range), null, 2))
    node.patroni = run(`patroni-${name}`, ['patroni', settings], node)
  }
  const ask = async ({ address, ports }: Node, path: string, init: RequestInit = {}) =>
    fetch(`http://${address}:${ports.rest}${path}`, { signal: AbortSignal.timeout(ASK_TIMEOUT_MS), ...init }).catch(
      () => undefined,
    )

  const leaders = async () => {
    // one that is frozen, or that nothing reaches, would only be waited for
    const asked = nodes.filter(({ name, thaw }) => thaw === undefined && !network?.isCutFromHere(name))
    const responses = await Promise.all(asked.map((node) => ask(node, '/primary')))
    return asked.filter((_, i) => responses[i]?.status === 200).map(({ name }) => name)
  }
  const primary = async () => (await leaders())[0]
  const askPrimary = async <Body>(path: string): Promise<Body | undefined> => {
    const leading = await primary()
    const response = leading === undefined ? undefined : await ask(find(leading), path)
    return (await response?.json()) as Body | undefined
  }
  const syncStandby = async () => {
    const cluster = await askPrimary<{ members: Member[] }>('/cluster')
    return cluster?.members.find(({ role }) => role === 'sync_standby')?.name
  }
  /** Whether each etcd has a leader: one that was cut off needs half a minute to find the others again. */
  const hasQuorum = async () => {
    const responses = await Promise.all(
      nodes.map(({ address, ports }) =>
        fetch(`http://${address}:${ports.client}/health`, { signal: AbortSignal.timeout(ASK_TIMEOUT_MS) }).catch(
          () => undefined,
        ),
      ),
    )
    return responses.every((response) => response?.ok)
  }
  const isHealthy = async () => {
    if (!(await hasQuorum())) return false
    // what the primary's PostgreSQL says: the list of members may still tell how a node was before its fault
    const { replication = [] } = (await askPrimary<{ replication?: Replication[] }>('/patroni')) ?? {}
    const streaming = replication.filter(({ state }) => state === 'streaming')
    const isSynchronous = streaming.some(({ sync_state }) => sync_state === 'sync')
    return streaming.length === NODES.length - 1 && isSynchronous && (await syncStandby()) !== undefined
  }
  const until = async (what: string, isSo: () => Promise<boolean>) => {
    const end = performance.now() + READY_MS
    while (!(await isSo())) {
      if (performance.now() > end) throw new Error(`${what}: not within ${READY_MS / 1000} s`)
      await delay(200)
    }
  }

  const postmasterOf = (name: string): number | undefined => {
    const pidFile = join(folder, name, 'data', 'postmaster.pid')
    const pid = Number(spawnSync('head', ['-1', pidFile], { encoding: 'utf8' }).stdout)
    return pid > 1 ? pid : undefined
  }
  const thawNode = (name: string) => {
    const node = find(name)
    node.thaw?.()
    delete node.thaw
  }
  const killNode = (name: string) => {
    thawNode(name)
    // PostgreSQL's children end when it has gone
    for (const pid of [find(name).patroni?.pid, postmasterOf(name)]) if (pid !== undefined) signal(pid, 'SIGKILL')
  }
  const freezeNode = (name: string, part: FrozenPart) => {
    const node = find(name)
    const roots: Record<FrozenPart, (number | undefined)[]> = {
      machine: [node.patroni?.pid, postmasterOf(name), node.etcd?.pid],
      PostgreSQL: [postmasterOf(name)],
      Patroni: [node.patroni?.pid],
    }
    node.thaw = freezeTrees(roots[part].filter((pid) => pid !== undefined))
  }

  const killAll = () => {
    for (const { name } of nodes) killNode(name)
    for (const child of others) child.kill('SIGKILL')
  }
  const removeFolders = (isFailed: boolean) => {
    for (const path of isFailed ? NODES.map((name) => join(folder, name)) : [folder])
      rmSync(path, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 })
  }
  const isEnded = endOnInterrupt(() => {
    killAll()
    network?.remove()
    removeFolders(false)
  })

  for (const name of NODES) startNode(name)
  const port = await findFreePort()
  writeFileSync(join(folder, 'haproxy.cfg'), haproxySettings(port, nodes))
  others.push(run('haproxy', ['haproxy', '-f', join(folder, 'haproxy.cfg')]))

  const cluster: PostgresCluster = {
    url: `postgres://app:${PASSWORD}@127.0.0.1:${port}/postgres`,
    versions: [
      versionOf('PostgreSQL', join(bin, 'postgres'), '--version'),
      versionOf('Patroni', 'patroni', '--version'),
      versionOf('etcd', 'etcd', '--version'),
      versionOf('HAProxy', 'haproxy', '-v'),
    ].join(', '),
    primary,
    leaders,
    syncStandby,
    untilHealthy: () => until('a primary with two standbys', isHealthy),
    killNode,
    freezeNode,
    thawNode,
    cutNode: (name, from) => dividedNetwork().cut(name, from),
    mendNode: (name) => dividedNetwork().mend(name),
    startNode,
    async switchover() {
      const leader = await primary()
      if (leader === undefined) throw new Error('no switchover without a primary')
      const response = await ask(find(leader), '/switchover', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ leader }),
        signal: AbortSignal.timeout(60_000),
      })
      if (!response?.ok) throw new Error(`no switchover: ${await response?.text()}`)
    },
    async stop(isFailed) {
      killAll()
      const started = [...others, ...nodes.flatMap(({ patroni }) => patroni ?? [])]
      for (const child of started) if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      network?.remove()
      if (isFailed) process.stderr.write(`the logs of the cluster are ${folder}/*.log\n`)
      removeFolders(isFailed)
      isEnded()
    },
  }
  try {
    await cluster.untilHealthy()
  } catch (error) {
    await cluster.stop(true)
    throw error
  }
  return cluster
}
