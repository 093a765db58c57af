import { join } from 'node:path'
import type { Config } from '../config.ts'
import { runningEmbedded, startEmbedded } from './embedded.ts'
import { lockFolder } from './folder-lock.ts'
import { openPool, type Pool } from './pool.ts'

export type OpenDatabase = { db: Pool; close(): Promise<void> }

const CLOSE_WITHIN_S = 10

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
  return { db, close: () => db.end({ timeout: CLOSE_WITHIN_S }) }
}
