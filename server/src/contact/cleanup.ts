import type { AppContext } from '../context.ts'
import type { Pool } from '../db/pool.ts'
import { type BackgroundJob, HOUR_MS, startIntervalJob } from '../jobs/interval-job.ts'
import { clearExpiredRepeatHashes, deleteOldSubmissions } from './queries.ts'

/** Removes what was written on the contact page 12 months ago, and hashes that tell no repeat any more. May run in several processes at once. */
export async function cleanUpContactSubmissions(db: Pool): Promise<void> {
  await clearExpiredRepeatHashes(db, null)
  while (await deleteOldSubmissions(db));
}

/** Tidies now and every hour, until stopped. */
export const startContactCleanup = ({ db, log }: Pick<AppContext, 'db' | 'log'>): BackgroundJob =>
  startIntervalJob(log, 'deleting old contact messages', HOUR_MS, () => cleanUpContactSubmissions(db))
