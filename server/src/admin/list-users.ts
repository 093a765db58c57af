import type { TransactionSql } from 'postgres'
import * as z from 'zod/mini'
import type { PageParams } from '#contract/endpoint.ts'
import { MAX_UUID, pageLimit, parseCursor, toPage } from '../db/pagination.ts'
import type { Pool } from '../db/pool.ts'
import { estimateScanRows, hasNulCharacter, readListSnapshot, SAMPLE_ROWS } from './list-strategy.ts'
import { findUsersByIds, sampleUsers, scanUsers, searchUsersByIndex, type UserQuery } from './user-queries.ts'

/**
 * All accounts, newest first (requirements §2, §7 `get_users`). `search` is looked for in address and full name, as it is written
 * but for its case; in names accents do not count either.
 */
export async function listUsers(db: Pool, { search = '', ...paging }: PageParams & { search?: string | undefined }) {
  const limit = pageLimit(paging)
  const before = parseCursor(z.uuid(), paging) ?? MAX_UUID
  if (hasNulCharacter(search)) return { items: [], next: null }

  return readListSnapshot(db, async (tx) => {
    const ids = await findMatchingIds(tx, { before, search: search || null }, limit + 1)
    return toPage(
      await findUsersByIds(tx, ids),
      limit,
      (row) => row.id,
      (row) => row,
    )
  })
}

/** What is common is found among the newest accounts, what is rare by an index over the pieces of addresses and names. */
async function findMatchingIds(tx: TransactionSql, query: UserQuery, count: number): Promise<string[]> {
  if (query.search === null) return scanUsers(tx, query, count, count)
  const { users, hits } = await sampleUsers(tx, query)
  if (users < SAMPLE_ROWS) return scanUsers(tx, query, SAMPLE_ROWS, count)
  const rows = estimateScanRows(count, hits / users)
  if (rows !== null) {
    const ids = await scanUsers(tx, query, rows, count)
    if (ids.length === count) return ids
  }
  return searchUsersByIndex(tx, query, count)
}
