import type { Pool } from '../db/pool.ts'
import { everyHour } from '../every-hour.ts'
import type { Parts } from '../parts.ts'
import { deleteOldSubmissions, forgetRepeats } from './queries.ts'

/** Removes what was written on the contact page 12 months ago, and hashes that tell no repeat any more. May run in several processes at once. */
export async function tidyContact(db: Pool): Promise<void> {
  await forgetRepeats(db, null)
  while (await deleteOldSubmissions(db));
}

/** Tidies now and every hour, until stopped. */
export const startContactJanitor = ({ db, log }: Pick<Parts, 'db' | 'log'>): { stop(): Promise<void> } =>
  everyHour(log, 'deleting old contact messages', () => tidyContact(db))
