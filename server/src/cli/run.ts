import type { Config } from '../config.ts'
import { openDatabaseForCommand } from '../db/open-database.ts'
import type { Pool } from '../db/pool.ts'
import { isOperatorError } from '../log/operator-error.ts'

/** Runs a command. When it throws, the exit code is 1, and standard error gets the line for the operator or the stack. */
export async function runCli(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    const text = isOperatorError(error) ? error.message : error instanceof Error ? error.stack : String(error)
    process.stderr.write(`${text}\n`)
    process.exitCode = 1
  }
}

/** Runs `work` on the product's database, which a server may be using meanwhile. Neither migrates it nor checks the keys. */
export async function withDatabase<T>(config: Config, work: (db: Pool) => Promise<T>): Promise<T> {
  const { db, close } = await openDatabaseForCommand(config)
  try {
    return await work(db)
  } finally {
    await close()
  }
}
