import type postgres from 'postgres'
import { type Pool, sqlState } from './pool.ts'

const SERIALIZATION_FAILURE = '40001'
const DEADLOCK = '40P01'
const MAX_ATTEMPTS = 4

/** Whether the database chose this transaction as the one that gives way; nothing of it was kept. */
const isRetryable = (error: unknown) => [SERIALIZATION_FAILURE, DEADLOCK].includes(sqlState(error) ?? '')

/**
 * Runs `work` in a transaction and answers with its result after the commit. When the database ends the transaction in
 * favour of another one (deadlock, serialization failure), it is run again, up to three times: so `work` does nothing
 * outside the database, and mails are woken and streams told after this returns.
 */
export async function inTransaction<T>(db: Pool, work: (tx: postgres.TransactionSql) => Promise<T>): Promise<T> {
  for (let left = MAX_ATTEMPTS - 1; ; left--) {
    try {
      // the driver types its answer for arrays of queries too; one promise comes back as what it resolves to
      return (await db.begin(work)) as T
    } catch (error) {
      if (left === 0 || !isRetryable(error)) throw error
    }
  }
}
