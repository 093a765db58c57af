import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import postgres from 'postgres'
import { findBinaries, type PostgresBinaries } from './binaries.ts'
import {
  assertPrivateFolder,
  type ClusterPaths,
  ensureCluster,
  ensurePasswordFile,
  failureReason,
  prepareClusterPaths,
  resolveClusterPaths,
  SUPERUSER,
} from './cluster.ts'
import { EmbeddedError } from './embedded-error.ts'
import { launchServer, stopServer } from './launch.ts'
import { isAlive, type Postmaster, readPostmaster } from './postmaster.ts'
import { openServerLog, type ServerLog } from './server-log.ts'
import { removeStaleTemporaryFiles } from './temporary-files.ts'

export { EmbeddedError } from './embedded-error.ts'

/** How to reach a PostgreSQL server. `host` is the folder of its unix socket when it begins with a slash. */
export type ConnectionOptions = { host: string; port: number; user: string; database: string; password?: string }

/**
 * A PostgreSQL of ours that answers. `attached`: it was running already. `folder`: where its files are, which for a data
 * folder in root's home is below /var/lib/platenote.
 */
export type EmbeddedServer = {
  connection: ConnectionOptions
  wasRunning: boolean
  clusterDir: string
  /** Whether its process lives; it may be recovering or stopping. */
  isAlive: () => Promise<boolean>
  /** Starts it after its death where it was, so that `connection` stays true, unless `signal` comes first. */
  restart: (signal: AbortSignal) => Promise<void>
  stop: () => Promise<void>
}

/** `settings` of PostgreSQL that go before ours; they take effect when the server is started, not when it is attached to. */
export type EmbeddedOptions = { settings?: Record<string, string> }

const SECOND_MS = 1000
const POLL_MS = 10
// replaying the log after a crash may take minutes; the server says so in postmaster.pid, so it is waited for
const START_TIMEOUT_MS = 5 * 60 * SECOND_MS
// orphans of a killed server notice its end within milliseconds, on a busy machine within seconds
const ORPHAN_TIMEOUT_MS = 15 * SECOND_MS
// a server that is ready answers at once, or recovers from a crash of one of its processes
const ANSWER_TIMEOUT_MS = 60 * SECOND_MS

/**
 * What every server runs with. Durable (`fsync` and `synchronous_commit` keep their default, on). Nothing people wrote
 * may get into the log: no statements, no details, no errors of queries at all (the client gets those). Full pages are
 * not compressed: the processor is what runs out first, not the disk.
 */
const BASE_SETTINGS: Record<string, string> = {
  shared_buffers: '64MB',
  max_connections: '60',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_min_messages: 'log', // ranks above error: start, crash and shutdown, but no message of a query
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
  log_autovacuum_min_duration: '-1',
  wal_compression: 'off',
}

/**
 * Starts (or re-attaches to) the PostgreSQL of a data folder, for example `DATA_DIR/postgres`; makes the database on the
 * first call. The server is a process of its own session: it survives Ctrl-C and kill -9 of this process and is found
 * again by the next call. `stop()` ends it cleanly. Take `acquireFolderLock` first: whoever stops it stops it for everybody.
 * @throws EmbeddedError with one line that says what to do
 */
export async function startEmbedded(dir: string, { settings = {} }: EmbeddedOptions = {}): Promise<EmbeddedServer> {
  const place = await prepareClusterPaths(resolve(dir))
  const binaries = await findBinaries(place.baseDir, place.account)
  await ensureCluster(place, binaries, settings['fsync'] !== 'off')
  const log = openServerLog(place.dataDir)
  try {
    const allSettings = { ...BASE_SETTINGS, ...settings }
    const { connection, attached } = await attachOrStart(place, binaries, allSettings, log)
    let starting = false
    return {
      connection,
      wasRunning: attached,
      clusterDir: place.clusterDir,
      async isAlive() {
        const postmaster = readPostmaster(place.clusterDir)
        return postmaster !== null && isAlive(postmaster, place.clusterDir)
      },
      async restart(signal) {
        starting = true
        try {
          await attachOrStart(place, binaries, { ...allSettings, port: String(connection.port) }, log, signal)
        } finally {
          starting = false
        }
      },
      async stop() {
        // what is just starting is stopped, not waited for: replaying the log may take minutes
        for (; starting; await delay(POLL_MS)) await stopServer(place, binaries)
        log.close()
        await stopServer(place, binaries)
      },
    }
  } catch (error) {
    log.close()
    throw error
  }
}

/**
 * Connection to the PostgreSQL that runs in a data folder, or null when none does. For commands used beside a running
 * server; whoever uses it does not own the server and must not stop it.
 */
export async function findRunningEmbedded(dir: string): Promise<ConnectionOptions | null> {
  const place = resolveClusterPaths(resolve(dir))
  return existsSync(place.clusterDir) ? waitUntilReady(place) : null
}

type StartResult = { connection: ConnectionOptions; attached: boolean }

/** Two processes that start the same server at once end up with the same one. */
async function attachOrStart(
  place: ClusterPaths,
  binaries: PostgresBinaries,
  settings: Record<string, string>,
  log: ServerLog,
  signal?: AbortSignal,
): Promise<StartResult> {
  for (const deadline = Date.now() + ORPHAN_TIMEOUT_MS; ; await delay(100)) {
    const running = await waitUntilReady(place)
    if (running) return { connection: running, attached: true }
    signal?.throwIfAborted()
    const logSizeBefore = log.size()
    const failure = await launchServer(place, binaries, settings, log)
    const postmaster = readPostmaster(place.clusterDir)
    if (!failure && postmaster) {
      await removeStaleTemporaryFiles(place.baseDir)
      return { connection: connectionOptionsFor(place, postmaster), attached: false }
    }
    const cause = failureReason(log.since(logSizeBefore) || failure || '')
    // another process was faster or is just writing its lock file, or orphans of a killed server still work on the files
    if (/already exists|still in use|is empty/.test(cause) && Date.now() < deadline) continue
    throw new EmbeddedError(`PostgreSQL did not start in ${place.dataDir}: ${cause}`)
  }
}

/** Waits while the server of the cluster is starting or stopping; its connection once it answers, null when there is none. */
async function waitUntilReady(place: ClusterPaths): Promise<ConnectionOptions | null> {
  const begin = Date.now()
  for (;;) {
    const postmaster = readPostmaster(place.clusterDir)
    if (!postmaster || !(await isAlive(postmaster, place.clusterDir))) return null
    const ready = postmaster.status === 'ready'
    if (ready && (await acceptsConnections(connectionOptionsFor(place, postmaster))))
      return connectionOptionsFor(place, postmaster)
    if (Date.now() - begin > (ready ? ANSWER_TIMEOUT_MS : START_TIMEOUT_MS)) {
      throw new EmbeddedError(
        `The PostgreSQL of ${place.dataDir} (process ${postmaster.pid}) does not answer; stop it and start again.`,
      )
    }
    await delay(POLL_MS)
  }
}

function connectionOptionsFor(
  { dataDir, account }: ClusterPaths,
  { port, socketFolder }: Postmaster,
): ConnectionOptions {
  const common = { port, user: SUPERUSER, database: 'postgres' }
  if (process.platform === 'win32')
    return { host: '127.0.0.1', ...common, password: readFileSync(ensurePasswordFile(dataDir), 'utf8') }
  assertPrivateFolder(socketFolder, account)
  return { host: socketFolder, ...common }
}

/** False while the server turns people away: one of its processes crashed and it recovers, or it is going. */
async function acceptsConnections(connection: ConnectionOptions): Promise<boolean> {
  const sql = postgres({ ...connection, max: 1, connect_timeout: 5, fetch_types: false, onnotice: () => {} })
  try {
    await sql`select 1`
    return true
  } catch {
    return false
  } finally {
    await sql.end({ timeout: 1 })
  }
}
