import { join } from 'node:path'
import type { Config } from '../config.ts'
import type { Logger } from '../log/logger.ts'
import { OperatorError } from '../log/operator-error.ts'
import { findRunningEmbedded, hasCluster, startEmbedded } from '../postgres/embedded-server.ts'
import { acquireFolderLock, FolderInUseError } from '../postgres/lockfile.ts'
import { supervise } from '../postgres/supervisor.ts'
import { openPool, type Pool } from './pool.ts'

type OpenDatabase = {
  db: Pool
  /** Restarts the embedded PostgreSQL when it dies, until the returned function is called; call that before `close`. */
  supervise(log: Logger): () => void
  close(): Promise<void>
}

// nothing uses the pool any more by then, unless a statement waits on a frozen connection
const CLOSE_TIMEOUT_S = 3

/**
 * Opens the product's database for a server process: `DATABASE_URL`, or the embedded PostgreSQL of `DATA_DIR`, which it locks
 * for itself.
 *
 * @throws FolderInUseError, EmbeddedError with one line that says what to do
 */
export async function openDatabase(config: Config): Promise<OpenDatabase> {
  if (config.DATABASE_URL) return openPooled(config.DATABASE_URL, config.DATABASE_POOL)
  const lock = acquireFolderLock(config.DATA_DIR)
  try {
    const server = await startEmbedded(join(config.DATA_DIR, 'postgres'))
    const { db, close } = openPooled(server.connection, config.DATABASE_POOL)
    return {
      db,
      supervise: (log) => supervise(server, log),
      async close() {
        await close()
        await server.stop()
        lock.release()
      },
    }
  } catch (error) {
    lock.release()
    throw error
  }
}

/**
 * Opens the database for a command: uses the embedded PostgreSQL of a running server if there is one.
 *
 * @param mayCreate whether to make an embedded database that is not there; without it, a wrong DATA_DIR is one line that says so
 */
export async function openDatabaseForCommand(
  config: Config,
  { mayCreate }: { mayCreate: boolean },
): Promise<OpenDatabase> {
  if (config.DATABASE_URL) return openDatabase(config)
  const folder = join(config.DATA_DIR, 'postgres')
  const running = await findRunningEmbedded(folder)
  if (running) return openPooled(running, 2)
  if (!mayCreate && !hasCluster(folder)) {
    throw new OperatorError(
      `There is no database in ${config.DATA_DIR} yet: correct DATA_DIR or DATABASE_URL, or start PlateNote first (npm start).`,
    )
  }
  try {
    return await openDatabase(config)
  } catch (error) {
    if (!(error instanceof FolderInUseError)) throw error
    // stopping that process, as the error says, would be wrong: it is what brings the database back
    throw new OperatorError(
      `${error.pid ? `Process ${error.pid}` : 'Another process'} uses ${config.DATA_DIR}, but its database does not run: a server starts it again within half a minute, so try again. ${join(folder, 'log')} says why it stopped.`,
    )
  }
}

function openPooled(target: Parameters<typeof openPool>[0], size: number): OpenDatabase {
  const db = openPool(target, size)
  return { db, supervise: () => () => {}, close: () => db.end({ timeout: CLOSE_TIMEOUT_S }) }
}
