import { spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { PostgresBinaries } from './binaries.ts'
import { type ClusterPaths, ensureSocketFolder, failureReason } from './cluster.ts'
import { EmbeddedError } from './embedded-error.ts'
import { isAlive, neutralizeStalePid, readPostmaster, runProgram, spawnOptions, trackExit } from './postmaster.ts'
import type { ServerLog } from './server-log.ts'

const POLL_MS = 10
const START_TIMEOUT_S = 5 * 60
const STOP_TIMEOUT_S = 60

/** Starts the server and waits until it is ready; returns the reason when it ends instead. No other may run in this cluster. */
export const launchServer = (
  paths: ClusterPaths,
  binaries: PostgresBinaries,
  settings: Record<string, string>,
  log: ServerLog,
): Promise<string | undefined> =>
  process.platform === 'win32'
    ? launchOnWindows(paths, binaries, settings)
    : launchOnUnix(paths, binaries, settings, log)

/** Starts the server as a child process in a session of its own. */
async function launchOnUnix(
  paths: ClusterPaths,
  { postgres: program }: PostgresBinaries,
  settings: Record<string, string>,
  log: ServerLog,
) {
  const { clusterDir, account } = paths
  const listen = {
    listen_addresses: '',
    port: '5432',
    unix_socket_directories: quoteListElement(await ensureSocketFolder(paths)),
    unix_socket_permissions: '0700',
  }
  await neutralizeStalePid(clusterDir)
  const args = ['-D', clusterDir, ...formatSettings({ ...settings, ...listen }).flatMap((setting) => ['-c', setting])]
  const child = spawn(program, args, {
    ...spawnOptions(account),
    cwd: clusterDir,
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
  })
  const end = trackExit(child)
  child.unref()
  while (end() === undefined) {
    const postmaster = readPostmaster(clusterDir)
    if (postmaster?.pid === child.pid && postmaster?.status === 'ready') return undefined
    await delay(POLL_MS)
  }
  return end()
}

/** Starts the server through `pg_ctl`, which drops an administrator's rights first; on a port, because there may be no unix sockets. */
async function launchOnWindows(
  { clusterDir, dataDir, account }: ClusterPaths,
  { pgCtl }: PostgresBinaries,
  settings: Record<string, string>,
) {
  // a restarted server keeps its port
  const options = formatSettings({ ...(await findLoopbackPort()), ...settings })
    .map((setting) => `-c "${setting}"`)
    .join(' ')
  const args = [
    'start',
    '-D',
    clusterDir,
    '-w',
    '-t',
    String(START_TIMEOUT_S),
    '-l',
    join(dataDir, 'log'),
    '-o',
    options,
  ]
  // the server inherits the streams of pg_ctl, so waiting for those to close would be waiting for the server to end
  const child = spawn(pgCtl, args, { ...spawnOptions(account), cwd: dataDir, stdio: 'ignore' })
  const code = await new Promise<number | null>((done, fail) => child.once('exit', done).once('error', fail))
  return code === 0 ? undefined : `pg_ctl ended with code ${code}`
}

const formatSettings = (settings: Record<string, string>) =>
  Object.entries(settings).map(([name, value]) => `${name}=${value}`)

/** Quotes an element of the list `unix_socket_directories`, so that a comma or space in the path does not end it. */
const quoteListElement = (path: string) => `"${path.replaceAll('"', '""')}"`

/** Returns the settings for a free port on the loopback address only. */
function findLoopbackPort(): Promise<Record<string, string>> {
  return new Promise((done, fail) => {
    const probe = createServer().once('error', fail)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      const port = typeof address === 'object' && address ? address.port : 0
      probe.close(() => done({ listen_addresses: '127.0.0.1', port: String(port) }))
    })
  })
}

/** Stops the server: clients are disconnected, everything is written. Harmless when it is not running. */
export async function stopServer({ clusterDir, account }: ClusterPaths, { pgCtl }: PostgresBinaries): Promise<void> {
  const postmaster = readPostmaster(clusterDir)
  if (!postmaster || !(await isAlive(postmaster, clusterDir))) return
  const args = ['stop', '-D', clusterDir, '-m', 'fast', '-w', '-t', String(STOP_TIMEOUT_S)]
  const { code, output } = await runProgram(pgCtl, args, { ...spawnOptions(account), cwd: clusterDir })
  if (code !== 0 && readPostmaster(clusterDir)?.pid === postmaster.pid)
    throw new EmbeddedError(`PostgreSQL did not stop: ${failureReason(output)}`)
}
