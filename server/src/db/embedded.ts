import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import postgres from 'postgres'
import {
  ensureCluster,
  findPlace,
  type Place,
  passwordFile,
  placeOf,
  reason,
  refuseUnlessPrivate,
  removeUnfinished,
  SUPERUSER,
} from './cluster.ts'
import { type Binaries, findBinaries } from './embedded-binaries.ts'
import { EmbeddedError } from './embedded-error.ts'
import { launch, stopServer } from './embedded-launch.ts'
import { type Log, openLog } from './embedded-log.ts'
import { isAlive, type Postmaster, readPostmaster } from './postmaster.ts'

export { EmbeddedError } from './embedded-error.ts'

/** How to reach a PostgreSQL server. `host` is the folder of its unix socket when it begins with a slash. */
export type Connection = { host: string; port: number; user: string; database: string; password?: string }

/**
 * A PostgreSQL of ours that answers. `attached`: it was running already. `folder`: where its files are, which for a data
 * folder in root's home is below /var/lib/platenote.
 */
export type EmbeddedServer = {
  connection: Connection
  attached: boolean
  folder: string
  /** Whether its process lives; it may be recovering or stopping. */
  isAlive: () => Promise<boolean>
  /** Starts it after its death where it was, so that `connection` stays true, unless `signal` comes first. */
  startAgain: (signal: AbortSignal) => Promise<void>
  stop: () => Promise<void>
}

/** `settings` of PostgreSQL that go before ours; they take effect when the server is started, not when it is attached to. */
export type EmbeddedOptions = { settings?: Record<string, string> }

const SECOND_MS = 1000
const POLL_MS = 10
// replaying the log after a crash may take minutes; the server says so in postmaster.pid, so it is waited for
const START_LIMIT_MS = 5 * 60 * SECOND_MS
// orphans of a killed server notice its end within milliseconds, on a busy machine within seconds
const ORPHAN_LIMIT_MS = 15 * SECOND_MS
// a server that is ready answers at once, or recovers from a crash of one of its processes
const ANSWER_LIMIT_MS = 60 * SECOND_MS

/**
 * What every server runs with. Durable (`fsync` and `synchronous_commit` keep their default, on). Nothing people wrote
 * may get into the log: no statements, no details, no errors of queries at all (the client gets those). Full pages are
 * not compressed: the processor is what runs out first, not the disk.
 */
const SETTINGS: Record<string, string> = {
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
 * again by the next call. `stop()` ends it cleanly. Take `lockFolder` first: whoever stops it stops it for everybody.
 * @throws EmbeddedError with one line that says what to do
 */
export async function startEmbedded(dir: string, { settings = {} }: EmbeddedOptions = {}): Promise<EmbeddedServer> {
  const place = await findPlace(resolve(dir))
  const binaries = await findBinaries(place.home, place.account)
  await ensureCluster(place, binaries, settings['fsync'] !== 'off')
  const log = openLog(place.dir)
  try {
    const all = { ...SETTINGS, ...settings }
    const { connection, attached } = await attachOrStart(place, binaries, all, log)
    let starting = false
    return {
      connection,
      attached,
      folder: place.cluster,
      async isAlive() {
        const postmaster = readPostmaster(place.cluster)
        return postmaster !== null && isAlive(postmaster, place.cluster)
      },
      async startAgain(signal) {
        starting = true
        try {
          await attachOrStart(place, binaries, { ...all, port: String(connection.port) }, log, signal)
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
export async function runningEmbedded(dir: string): Promise<Connection | null> {
  const place = placeOf(resolve(dir))
  return existsSync(place.cluster) ? settle(place) : null
}

type Started = { connection: Connection; attached: boolean }

/** Two processes that start the same server at once end up with the same one. */
async function attachOrStart(
  place: Place,
  binaries: Binaries,
  settings: Record<string, string>,
  log: Log,
  signal?: AbortSignal,
): Promise<Started> {
  for (const deadline = Date.now() + ORPHAN_LIMIT_MS; ; await delay(100)) {
    const running = await settle(place)
    if (running) return { connection: running, attached: true }
    signal?.throwIfAborted()
    const written = log.size()
    const failure = await launch(place, binaries, settings, log)
    const postmaster = readPostmaster(place.cluster)
    if (!failure && postmaster) {
      await removeUnfinished(place.home)
      return { connection: connectionTo(place, postmaster), attached: false }
    }
    const why = reason(log.since(written) || failure || '')
    // another process was faster or is just writing its lock file, or orphans of a killed server still work on the files
    if (/already exists|still in use|is empty/.test(why) && Date.now() < deadline) continue
    throw new EmbeddedError(`PostgreSQL did not start in ${place.dir}: ${why}`)
  }
}

/** Waits while the server of the cluster is starting or stopping; its connection once it answers, null when there is none. */
async function settle(place: Place): Promise<Connection | null> {
  const begin = Date.now()
  for (;;) {
    const postmaster = readPostmaster(place.cluster)
    if (!postmaster || !(await isAlive(postmaster, place.cluster))) return null
    const ready = postmaster.status === 'ready'
    if (ready && (await answers(connectionTo(place, postmaster)))) return connectionTo(place, postmaster)
    if (Date.now() - begin > (ready ? ANSWER_LIMIT_MS : START_LIMIT_MS)) {
      throw new EmbeddedError(
        `The PostgreSQL of ${place.dir} (process ${postmaster.pid}) does not answer; stop it and start again.`,
      )
    }
    await delay(POLL_MS)
  }
}

function connectionTo({ dir, account }: Place, { port, socketFolder }: Postmaster): Connection {
  const common = { port, user: SUPERUSER, database: 'postgres' }
  if (process.platform === 'win32')
    return { host: '127.0.0.1', ...common, password: readFileSync(passwordFile(dir), 'utf8') }
  refuseUnlessPrivate(socketFolder, account)
  return { host: socketFolder, ...common }
}

/** False while the server turns people away: one of its processes crashed and it recovers, or it is going. */
async function answers(connection: Connection): Promise<boolean> {
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
