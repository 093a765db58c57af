import type { AppContext } from '../context.ts'
import type { Pool } from '../db/pool.ts'
import { type BackgroundJob, HOUR_MS, startIntervalJob } from '../jobs/interval-job.ts'
import { deleteOldChallenges } from './queries.ts'
import { CHALLENGE_PERIOD_DAYS } from './rules.ts'

/** Forgets the challenges that no rule counts any more. May run in several processes at once. */
export const cleanUpChallenges = (db: Pool): Promise<void> => deleteOldChallenges(db, CHALLENGE_PERIOD_DAYS)

/** Tidies now and every hour, until stopped. */
export const startChallengeCleanup = ({ db, log }: Pick<AppContext, 'db' | 'log'>): BackgroundJob =>
  startIntervalJob(log, 'forgetting old challenges', HOUR_MS, () => cleanUpChallenges(db))
