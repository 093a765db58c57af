import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { findBinaries, type PostgresBinaries, removeStaleTemporaryFiles } from './binaries.ts'
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

export { EmbeddedError } from './embedded-error.ts'

/** How to reach a PostgreSQL server. `host` is the folder of its unix socket when it starts with a slash. */
export type ConnectionOptions = { host: string; port: number; user: string; database: string; password?: string }

/** A running PostgreSQL of a data folder. */
export type EmbeddedServer = {
  connection: ConnectionOptions
  /** Whether it was running already, so that this process attached to it. */
  wasRunning: boolean
  /** The folder with its files; for a data folder in root's home it is below /var/lib/platenote. */
  clusterDir: string
  /** Returns whether its process is alive; it may be recovering or stopping. */
  isAlive: () => Promise<boolean>
  /** Starts it again after its death, where `connection` still reaches it, unless `signal` aborts first. */
  restart: (signal: AbortSignal) => Promise<void>
  stop: () => Promise<void>
}

/** `settings` of PostgreSQL that override ours; they take effect when the server is started, not when it is attached to. */
type EmbeddedOptions = { settings?: Record<string, string> }

const SECOND_MS = 1000
const POLL_MS = 10
// replaying the log after a crash may take minutes, during which postmaster.pid says that the server is starting
const START_TIMEOUT_MS = 5 * 60 * SECOND_MS
// orphaned processes of a killed server notice its end within milliseconds, on a busy machine it took more than 15 s
const ORPHAN_TIMEOUT_MS = 60 * SECOND_MS
// a server that is ready responds immediately, unless it is recovering from a crash of one of its processes
const ANSWER_TIMEOUT_MS = 60 * SECOND_MS

/**
 * The settings of every server. It is durable (`fsync` and `synchronous_commit` keep their default, on). Nothing people wrote
 * may get into the log: no statements, no details, no query errors at all (the client gets those). Full pages are not
 * compressed, because the processor is the bottleneck and not the disk.
 */
const BASE_SETTINGS: Record<string, string> = {
  shared_buffers: '64MB',
  max_connections: '60',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_min_messages: 'log', // ranks above error: start, crash and shutdown, but no messages of queries
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
  log_autovacuum_min_duration: '-1',
  wal_compression: 'off',
}

/**
 * Starts (or re-attaches to) the PostgreSQL of a data folder, for example `DATA_DIR/postgres`; creates the cluster on the
 * first call. The server has a session of its own: it survives Ctrl-C and kill -9 of this process, and the next call finds
 * it again. `stop()` ends it cleanly, and for every process that uses it, so call `acquireFolderLock` first.
 * @throws EmbeddedError with one line that says what to do
 */
export async function startEmbedded(dir: string, { settings = {} }: EmbeddedOptions = {}): Promise<EmbeddedServer> {
  const paths = await prepareClusterPaths(resolve(dir))
  const binaries = await findBinaries(paths.baseDir, paths.account)
  await ensureCluster(paths, binaries, settings['fsync'] !== 'off')
  const log = openServerLog(paths.dataDir)
  try {
    const allSettings = { ...BASE_SETTINGS, ...settings }
    const { connection, attached } = await attachOrStart(paths, binaries, allSettings, log)
    let starting = false
    return {
      connection,
      wasRunning: attached,
      clusterDir: paths.clusterDir,
      async isAlive() {
        const postmaster = readPostmaster(paths.clusterDir)
        return postmaster !== null && isAlive(postmaster, paths.clusterDir)
      },
      async restart(signal) {
        starting = true
        try {
          await attachOrStart(paths, binaries, { ...allSettings, port: String(connection.port) }, log, signal)
        } finally {
          starting = false
        }
      },
      async stop() {
        // a server that is starting is stopped, not waited for: replaying the log may take minutes
        for (; starting; await delay(POLL_MS)) await stopServer(paths, binaries)
        log.close()
        await stopServer(paths, binaries)
      },
    }
  } catch (error) {
    log.close()
    throw error
  }
}

/**
 * Returns a connection to the PostgreSQL that is running in a data folder, or null when none is. For commands that are run
 * while a server is running: they do not own its PostgreSQL and must not stop it.
 */
export async function findRunningEmbedded(dir: string): Promise<ConnectionOptions | null> {
  const paths = resolveClusterPaths(resolve(dir))
  return existsSync(paths.clusterDir) ? waitUntilReady(paths) : null
}

/** Returns whether a data folder has a cluster, running or not. */
export const hasCluster = (dir: string): boolean =>
  existsSync(join(resolveClusterPaths(resolve(dir)).clusterDir, 'PG_VERSION'))

type StartResult = { connection: ConnectionOptions; attached: boolean }

/** Attaches to the running server or starts one. Two processes that do so at the same time get the same server. */
async function attachOrStart(
  paths: ClusterPaths,
  binaries: PostgresBinaries,
  settings: Record<string, string>,
  log: ServerLog,
  signal?: AbortSignal,
): Promise<StartResult> {
  for (const deadline = Date.now() + ORPHAN_TIMEOUT_MS; ; await delay(100)) {
    const running = await waitUntilReady(paths)
    if (running) return { connection: running, attached: true }
    signal?.throwIfAborted()
    const logSizeBefore = log.size()
    const failure = await launchServer(paths, binaries, settings, log)
    const postmaster = readPostmaster(paths.clusterDir)
    if (!failure && postmaster) {
      await removeStaleTemporaryFiles(paths.baseDir)
      return { connection: connectionOptionsFor(paths, postmaster), attached: false }
    }
    const cause = failureReason(log.since(logSizeBefore) || failure || '')
    // another process was faster or is writing its lock file, or orphans of a killed server still use the files
    if (/already exists|still in use|is empty/.test(cause) && Date.now() < deadline) continue
    throw new EmbeddedError(`PostgreSQL did not start in ${paths.dataDir}: ${cause}`)
  }
}

/** Waits while the server is starting or stopping; returns its connection once it responds, or null when there is none. */
async function waitUntilReady(paths: ClusterPaths): Promise<ConnectionOptions | null> {
  const startedAt = Date.now()
  for (;;) {
    const postmaster = readPostmaster(paths.clusterDir)
    if (!postmaster || !(await isAlive(postmaster, paths.clusterDir))) return null
    const ready = postmaster.status === 'ready'
    if (ready && (await acceptsConnections(connectionOptionsFor(paths, postmaster))))
      return connectionOptionsFor(paths, postmaster)
    if (Date.now() - startedAt > (ready ? ANSWER_TIMEOUT_MS : START_TIMEOUT_MS)) {
      throw new EmbeddedError(
        `The PostgreSQL of ${paths.dataDir} (process ${postmaster.pid}) does not answer; stop it and start again.`,
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

/** Returns false while the server refuses connections: after a crash of one of its processes, or while it stops. */
async function acceptsConnections(connection: ConnectionOptions): Promise<boolean> {
  const client = new pg.Client({ ...connection, ssl: false, connectionTimeoutMillis: 5 * SECOND_MS })
  client.on('error', () => {}) // errors that come later: the response is in
  try {
    await client.connect()
    await client.query('select 1')
    return true
  } catch {
    return false
  } finally {
    await Promise.race([client.end(), delay(SECOND_MS, undefined, { ref: false })])
  }
}
