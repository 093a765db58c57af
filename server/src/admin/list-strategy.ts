import type { TransactionSql } from 'postgres'
import type { Pool } from '../db/pool.ts'

/**
 * Reads a list for admins: all its statements see the database at one moment, and each is planned for the filters it has,
 * not once for all (docs/decisions/0016): how rare a status is decides by which index it is found.
 */
export const readListSnapshot = <T>(db: Pool, read: (tx: TransactionSql) => Promise<T>): Promise<T> =>
  db.begin('isolation level repeatable read read only', async (tx) => {
    await tx`set local plan_cache_mode = force_custom_plan`
    return read(tx)
  }) as Promise<T>

/** So many of the newest rows are looked at first, to tell what is common from what is rare. */
export const SAMPLE_ROWS = 500
/** A walk of this length costs about as much as fetching what an index finds of something rarer. */
const SCAN_ROWS_MAX = 20_000
/** The same for rows whose owner is read from another place. */
const SCAN_OWNERS_MAX = 4_000
/** So much further than the samples let expect: rows that fit do not lie evenly. */
const SCAN_MARGIN = 2

/**
 * How many rows to walk for `count` that fit; null when looking them up by an index costs less.
 *
 * @param hitRate how much of the sample fits, 0 to 1
 * @param ownerLookupRate of how much of the walk the owners are read, 0 to 1
 */
export function estimateScanRows(count: number, hitRate: number, ownerLookupRate = 0): number | null {
  const rows = Math.ceil((count * SCAN_MARGIN) / hitRate)
  return rows <= SCAN_ROWS_MAX && rows * ownerLookupRate <= SCAN_OWNERS_MAX ? rows : null
}

/** PostgreSQL holds no text with this character, so nothing contains it. */
export const hasNulCharacter = (text: string): boolean => text.includes('\0')
