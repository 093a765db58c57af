import type { Config } from '../config.ts'
import { ConnectionError } from '../db/connection.ts'
import { openDatabaseForCommand } from '../db/open-database.ts'
import { type Pool, sqlState } from '../db/pool.ts'
import { explainConnectionError } from '../doctor/connect.ts'
import { isOperatorError, OperatorError } from '../log/operator-error.ts'

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

const DISK_FULL = '53100'
/** Connections, the start and end of the server, and who may come in. */
const NO_CONNECTION = /^(?:08|28|57P0|3D000|53300)/

/** Runs `work`. A database that cannot be reached or has no space is a line for the operator then. */
export async function explainingDatabase<T>(config: Config, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const state = sqlState(error) ?? ''
    if (state === DISK_FULL)
      throw new OperatorError(`The disk of the database is full (${state}). Enlarge it, and run the command again.`)
    throw error instanceof ConnectionError || NO_CONNECTION.test(state) ? explainConnectionError(error, config) : error
  }
}
