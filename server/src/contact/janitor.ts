import type { Pool } from '../db/pool.ts'
import type { Parts } from '../parts.ts'
import { HOUR_MS, type Repeated, repeat } from '../repeat.ts'
import { deleteOldSubmissions, forgetRepeats } from './queries.ts'

/** Removes what was written on the contact page 12 months ago, and hashes that tell no repeat any more. May run in several processes at once. */
export async function tidyContact(db: Pool): Promise<void> {
  await forgetRepeats(db, null)
  while (await deleteOldSubmissions(db));
}

/** Tidies now and every hour, until stopped. */
export const startContactJanitor = ({ db, log }: Pick<Parts, 'db' | 'log'>): Repeated =>
  repeat(log, 'deleting old contact messages', HOUR_MS, () => tidyContact(db))
