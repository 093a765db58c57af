import type { AppContext } from '../context.ts'
import type { Pool } from '../db/pool.ts'
import { type BackgroundJob, HOUR_MS, startIntervalJob } from '../jobs/interval-job.ts'
import { deleteExpiredCounters } from '../limits/rate-limiter.ts'
import { deleteStaleRows } from './queries.ts'

/** Removes ended links, sign-ups nobody confirmed, sleeping sessions and old counters. May run in several processes at once. */
export async function cleanUpAccounts(db: Pool): Promise<void> {
  await deleteStaleRows(db)
  await deleteExpiredCounters(db)
}

/** Tidies now and every hour, until stopped. */
export const startAccountCleanup = ({ db, log }: Pick<AppContext, 'db' | 'log'>): BackgroundJob =>
  startIntervalJob(log, 'tidying accounts', HOUR_MS, () => cleanUpAccounts(db))
