import type { Db } from '../db/pool.ts'
import { clearExpiredRepeatHashes, deleteOldSubmissions } from './queries.ts'

/** Deletes submissions of more than 12 months ago, and hashes too old to detect a duplicate. */
export async function cleanUpContactSubmissions(db: Db): Promise<void> {
  await clearExpiredRepeatHashes(db, null)
  while (await deleteOldSubmissions(db));
}
