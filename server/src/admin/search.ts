import type { Db, PendingQuery, Pool, Row } from '../db/pool.ts'

/**
 * Runs one statement planned for its values, not once for all (docs/decisions/admin-lists.md), in one round trip: how common a search term is decides
 * which index finds it. Parallel workers would take longer to start than a page takes to read.
 */
export async function runCustomPlanned<Found extends Row>(
  db: Pool,
  statement: (tx: Db) => PendingQuery<Found[]>,
): Promise<Found[]> {
  return db.pipeline(async (pipe) => {
    const [, , rows] = await Promise.all([
      pipe.unsafe('begin read only'),
      pipe`
        select set_config('plan_cache_mode', 'force_custom_plan', true),
          set_config('max_parallel_workers_per_gather', '0', true)`,
      statement(pipe),
      pipe.unsafe('commit'),
    ])
    return rows as Found[]
  })
}

/** Returns whether a text has a NUL character. PostgreSQL stores none, so nothing can match it. */
export const hasNulCharacter = (text: string): boolean => text.includes('\0')
