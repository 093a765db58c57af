import type { TransactionSql } from 'postgres'
import * as z from 'zod/mini'
import type { Paging } from '#contract/endpoint.ts'
import { LAST_ID, pageLimit, readCursor, toPage } from '../db/keyset.ts'
import type { Pool } from '../db/pool.ts'
import { isUnfindable, readList, SAMPLE_ROWS, walkLength } from './search.ts'
import { lookUpUsers, sampleUsers, type UserQuery, usersById, walkUsers } from './user-queries.ts'

/**
 * All accounts, newest first (spec §2, §7 `get_users`). `search` is looked for in address and full name, as it is written
 * but for its case; in names accents do not count either.
 */
export async function listUsers(db: Pool, { search = '', ...paging }: Paging & { search?: string | undefined }) {
  const limit = pageLimit(paging)
  const before = readCursor(z.uuid(), paging) ?? LAST_ID
  if (isUnfindable(search)) return { items: [], next: null }

  return readList(db, async (tx) => {
    const ids = await newestIds(tx, { before, search: search || null }, limit + 1)
    return toPage(
      await usersById(tx, ids),
      limit,
      (row) => row.id,
      (row) => row,
    )
  })
}

/** What is common is found among the newest accounts, what is rare by an index over the pieces of addresses and names. */
async function newestIds(tx: TransactionSql, query: UserQuery, count: number): Promise<string[]> {
  if (query.search === null) return walkUsers(tx, query, count, count)
  const { users, hits } = await sampleUsers(tx, query)
  if (users < SAMPLE_ROWS) return walkUsers(tx, query, SAMPLE_ROWS, count)
  const rows = walkLength(count, hits / users)
  if (rows !== null) {
    const ids = await walkUsers(tx, query, rows, count)
    if (ids.length === count) return ids
  }
  return lookUpUsers(tx, query, count)
}
