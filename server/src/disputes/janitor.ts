import type { Pool } from '../db/pool.ts'
import type { Parts } from '../parts.ts'
import { HOUR_MS, type Repeated, repeat } from '../repeat.ts'
import { deleteOldChallenges } from './queries.ts'
import { CHALLENGE_PERIOD_DAYS } from './rules.ts'

/** Forgets the challenges that no rule counts any more. May run in several processes at once. */
export const tidyChallenges = (db: Pool): Promise<void> => deleteOldChallenges(db, CHALLENGE_PERIOD_DAYS)

/** Tidies now and every hour, until stopped. */
export const startChallengeJanitor = ({ db, log }: Pick<Parts, 'db' | 'log'>): Repeated =>
  repeat(log, 'forgetting old challenges', HOUR_MS, () => tidyChallenges(db))
