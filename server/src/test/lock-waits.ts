import type { Pool } from '../db/pool.ts'
import { eventually } from './eventually.ts'

/** Resolves once so many statements in a database wait for a lock that another transaction has. */
export const waitForLockWaits = (db: Pool, count = 1): Promise<true> =>
  eventually(async () => {
    const waiting = await db`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    return waiting.length >= count || undefined
  })
