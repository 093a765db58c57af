import { join } from 'node:path'
import type { Config } from '../config.ts'
import type { Logger } from '../parts.ts'
import { runningEmbedded, startEmbedded } from './embedded.ts'
import { lockFolder } from './folder-lock.ts'
import { keepRunning } from './keep-running.ts'
import { openPool, type Pool } from './pool.ts'

export type OpenDatabase = {
  db: Pool
  /** Brings the embedded PostgreSQL back when it dies, until the returned function is called; call that before `close`. */
  keepRunning(log: Logger): () => void
  close(): Promise<void>
}

// who asks has ended by then, so there is little to wait for; but the driver also waits, and would for ever, for
// connections that an outage has broken and nobody needed since
const CLOSE_WITHIN_S = 3

/**
 * Opens the product's database for a server process: `DATABASE_URL`, or the embedded PostgreSQL of `DATA_DIR`, which it
 * then holds for itself alone.
 *
 * @throws FolderInUse, EmbeddedError with one line that says what to do
 */
export async function openDatabase(config: Config): Promise<OpenDatabase> {
  if (config.DATABASE_URL) return pooled(config.DATABASE_URL, config.DATABASE_POOL)
  const lock = lockFolder(config.DATA_DIR)
  try {
    const server = await startEmbedded(join(config.DATA_DIR, 'postgres'))
    const { db, close } = pooled(server.connection, config.DATABASE_POOL)
    return {
      db,
      keepRunning: (log) => keepRunning(server, log),
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

/** Opens the database for a command that may run beside a server: uses the running embedded PostgreSQL if there is one. */
export async function openDatabaseBeside(config: Config): Promise<OpenDatabase> {
  if (!config.DATABASE_URL) {
    const running = await runningEmbedded(join(config.DATA_DIR, 'postgres'))
    if (running) return pooled(running, 2)
  }
  return openDatabase(config)
}

function pooled(target: Parameters<typeof openPool>[0], size: number): OpenDatabase {
  const db = openPool(target, size)
  return { db, keepRunning: () => () => {}, close: () => db.end({ timeout: CLOSE_WITHIN_S }) }
}
