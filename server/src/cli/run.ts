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

/** What the command cannot go on with, and what to do about it. */
const STATES: Record<string, string> = {
  '53100': 'The disk of the database is full (53100). Enlarge it, and run the command again.',
  '25006':
    'The database takes no writes (25006): it is a standby, or read-only. Name the primary in DATABASE_URL, and run the command again.',
  '42501':
    'The role of DATABASE_URL may not do this (42501): npm run doctor says which right it lacks. Then run the command again.',
}
/** Connections, the start and end of the server, and who may come in. */
const NO_CONNECTION = /^(?:08|28|57P0|3D000|53300)/

/** Runs `work`. A database that cannot be reached, has no space or refuses is a line for the operator then. */
export async function explainingDatabase<T>(config: Config, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const state = sqlState(error) ?? ''
    const line = STATES[state]
    if (line) throw new OperatorError(line)
    throw error instanceof ConnectionError || NO_CONNECTION.test(state) ? explainConnectionError(error, config) : error
  }
}
