import { spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Place, reason, socketFolder } from './cluster.ts'
import type { Binaries } from './embedded-binaries.ts'
import { EmbeddedError } from './embedded-error.ts'
import type { Log } from './embedded-log.ts'
import { disarmStalePid, isAlive, readPostmaster, run, spawnOptions, watchEnd } from './postmaster.ts'

const POLL_MS = 10
const START_LIMIT_SECONDS = 5 * 60
const STOP_LIMIT_SECONDS = 60

/** Starts the server and waits until it is ready; what it says when it ends instead. No other may run in this cluster. */
export const launch = (
  place: Place,
  binaries: Binaries,
  settings: Record<string, string>,
  log: Log,
): Promise<string | undefined> =>
  process.platform === 'win32'
    ? launchOnWindows(place, binaries, settings)
    : launchOnUnix(place, binaries, settings, log)

/** The server is our child, in a session of its own. */
async function launchOnUnix(place: Place, { postgres: program }: Binaries, settings: Record<string, string>, log: Log) {
  const { cluster, account } = place
  const listen = {
    listen_addresses: '',
    port: '5432',
    unix_socket_directories: quoted(await socketFolder(place)),
    unix_socket_permissions: '0700',
  }
  await disarmStalePid(cluster)
  const args = ['-D', cluster, ...assignments({ ...settings, ...listen }).flatMap((setting) => ['-c', setting])]
  const child = spawn(program, args, {
    ...spawnOptions(account),
    cwd: cluster,
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
  })
  const end = watchEnd(child)
  child.unref()
  while (end() === undefined) {
    const postmaster = readPostmaster(cluster)
    if (postmaster?.pid === child.pid && postmaster?.status === 'ready') return undefined
    await delay(POLL_MS)
  }
  return end()
}

/** An administrator's rights must be dropped first there, which `pg_ctl` knows how to do; there are no unix sockets to rely on. */
async function launchOnWindows(
  { cluster, dir, account }: Place,
  { pgCtl }: Binaries,
  settings: Record<string, string>,
) {
  // a server that comes back has the port it had
  const options = assignments({ ...(await loopback()), ...settings })
    .map((setting) => `-c "${setting}"`)
    .join(' ')
  const args = ['start', '-D', cluster, '-w', '-t', String(START_LIMIT_SECONDS), '-l', join(dir, 'log'), '-o', options]
  // the server inherits the streams of pg_ctl, so waiting for their end would be waiting for the server's
  const child = spawn(pgCtl, args, { ...spawnOptions(account), cwd: dir, stdio: 'ignore' })
  const code = await new Promise<number | null>((done, fail) => child.once('exit', done).once('error', fail))
  return code === 0 ? undefined : `pg_ctl ended with code ${code}`
}

const assignments = (settings: Record<string, string>) =>
  Object.entries(settings).map(([name, value]) => `${name}=${value}`)

/** `unix_socket_directories` is a list; a comma or a blank in the path must not end its element. */
const quoted = (path: string) => `"${path.replaceAll('"', '""')}"`

/** A port nobody listens on, on the loopback address alone. */
function loopback(): Promise<Record<string, string>> {
  return new Promise((done, fail) => {
    const probe = createServer().once('error', fail)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      const port = typeof address === 'object' && address ? address.port : 0
      probe.close(() => done({ listen_addresses: '127.0.0.1', port: String(port) }))
    })
  })
}

/** Ends the server: clients are disconnected, everything is written. Harmless when it is not running. */
export async function stopServer({ cluster, account }: Place, { pgCtl }: Binaries): Promise<void> {
  const postmaster = readPostmaster(cluster)
  if (!postmaster || !(await isAlive(postmaster, cluster))) return
  const args = ['stop', '-D', cluster, '-m', 'fast', '-w', '-t', String(STOP_LIMIT_SECONDS)]
  const { code, output } = await run(pgCtl, args, { ...spawnOptions(account), cwd: cluster })
  if (code !== 0 && readPostmaster(cluster)?.pid === postmaster.pid)
    throw new EmbeddedError(`PostgreSQL did not stop: ${reason(output)}`)
}
