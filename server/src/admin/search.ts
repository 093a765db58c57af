import type { MaybeRow, PendingQuery, TransactionSql } from 'postgres'
import type { Pool } from '../db/pool.ts'

/**
 * Runs one statement planned for its values, not once for all (docs/decisions/0016): how common a search term is decides
 * which index finds it. Parallel workers would take longer to start than a page takes to read.
 */
export async function runCustomPlanned<Row extends MaybeRow>(
  db: Pool,
  statement: (tx: TransactionSql) => PendingQuery<Row[]>,
): Promise<Row[]> {
  const [, rows] = await db.begin('read only', (tx) => [
    tx`
      select set_config('plan_cache_mode', 'force_custom_plan', true),
        set_config('max_parallel_workers_per_gather', '0', true)`,
    statement(tx),
  ])
  return rows
}

/** PostgreSQL holds no text with this character, so nothing contains it. */
export const hasNulCharacter = (text: string): boolean => text.includes('\0')
