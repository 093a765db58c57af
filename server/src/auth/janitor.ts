import type { Pool } from '../db/pool.ts'
import { deleteOldCounters } from '../http/rate-limit.ts'
import type { Parts } from '../parts.ts'
import { HOUR_MS, type Repeated, repeat } from '../repeat.ts'
import { deleteStale } from './queries.ts'

/** Removes ended links, sign-ups nobody confirmed, sleeping sessions and old counters. May run in several processes at once. */
export async function tidyAccounts(db: Pool): Promise<void> {
  await deleteStale(db)
  await deleteOldCounters(db)
}

/** Tidies now and every hour, until stopped. */
export const startAccountJanitor = ({ db, log }: Pick<Parts, 'db' | 'log'>): Repeated =>
  repeat(log, 'tidying accounts', HOUR_MS, () => tidyAccounts(db))
