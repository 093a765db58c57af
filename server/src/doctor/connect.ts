import { join } from 'node:path'
import type { Config } from '../config.ts'
import { openPool, type Pool } from '../db/pool.ts'
import type { Transaction } from '../db/transaction-scope.ts'
import { OperatorError } from '../log/operator-error.ts'
import { findRunningEmbedded } from '../postgres/embedded-server.ts'
import { SECOND_MS } from '../time.ts'

/** Few, because what is checked may be that too few are left. */
const POOL_SIZE = 2
/** Shorter than a check may take, so that a statement of one does not hold up the next. */
const STATEMENT_TIMEOUT_MS = 4 * SECOND_MS

/** Opens the database of the settings; the embedded one only if it runs, because a start would change it. */
export async function connect(config: Config): Promise<Pool> {
  const target = config.DATABASE_URL ?? (await findRunningEmbedded(join(config.DATA_DIR, 'postgres')))
  if (target === null) {
    throw new OperatorError(
      'the embedded database is not running: start PlateNote (npm start), and run platenote doctor beside it',
    )
  }
  return openPool(target, POOL_SIZE, { statementTimeoutMs: STATEMENT_TIMEOUT_MS })
}

/** Runs `work` in a transaction that cannot write. */
export const readOnly = <T>(db: Pool, work: (tx: Transaction) => Promise<T>): Promise<T> =>
  db.begin('isolation level repeatable read, read only', work)
