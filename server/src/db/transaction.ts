import { type Pool, sqlState, type Transaction } from './pool.ts'

const SERIALIZATION_FAILURE = '40001'
const DEADLOCK = '40P01'
const MAX_ATTEMPTS = 4

/** Returns whether the database chose to roll back this transaction in favour of another one. */
const isRetryable = (error: unknown) => [SERIALIZATION_FAILURE, DEADLOCK].includes(sqlState(error) ?? '')

/**
 * Runs `work` in a transaction and returns its result after the commit. When the database rolls the transaction back in favour
 * of another one (deadlock, serialization failure), it is run again, up to three times, and once more when a migration made a
 * plan obsolete. `work` must therefore do nothing outside the database: wake the mail worker and publish hints after this returns.
 */
export async function inTransaction<T>(db: Pool, work: (tx: Transaction) => PromiseLike<T>): Promise<T> {
  for (let left = MAX_ATTEMPTS - 1; ; left--) {
    try {
      return await db.begin(work)
    } catch (error) {
      if (left === 0 || !isRetryable(error)) throw error
    }
  }
}
