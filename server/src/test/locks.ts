import type { TestContext } from 'node:test'
import type { Db, Pool } from '../db/pool.ts'
import { eventually } from './eventually.ts'

/** Resolves once so many statements in a database wait for a lock that another transaction has. */
export const waitForLockWaits = (db: Pool, count = 1): Promise<true> =>
  eventually(async () => {
    const waiting = await db`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    return waiting.length >= count || undefined
  })

/**
 * Takes locks on a connection of its own. Returns how to let go of them, which happens at the end of the test at the latest: a
 * connection that is never returned keeps the pool, and with it the process, from ending.
 *
 * @param end whether what `take` changed is taken back, or stays
 */
export async function holdLocks(
  t: TestContext,
  db: Pool,
  take: (connection: Db) => PromiseLike<unknown>,
  end: 'rollback' | 'commit' = 'rollback',
) {
  const connection = await db.reserve()
  let isHeld = true
  const letGo = async () => {
    if (!isHeld) return
    isHeld = false
    await connection.unsafe(end)
    connection.release()
  }
  t.after(letGo)
  await connection`begin`
  await take(connection)
  return letGo
}
