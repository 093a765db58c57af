import * as z from 'zod/mini'
import { normalizeEmail } from '#contract/addresses.ts'
import type { PageParams } from '#contract/endpoint.ts'
import { MAX_UUID, pageLimit, parseCursor, toPage } from '../db/pagination.ts'
import type { Pool } from '../db/pool.ts'
import { hasNulCharacter, runCustomPlanned } from './search.ts'
import { listNewestUsers } from './user-queries.ts'

/**
 * Lists all accounts, newest first (requirements §2, §7 `get_users`). `search` matches a part of the address or the full
 * name, regardless of case; in names regardless of accents too.
 */
export async function listUsers(db: Pool, { search = '', ...paging }: PageParams & { search?: string | undefined }) {
  const limit = pageLimit(paging)
  const before = parseCursor(z.uuid(), paging) ?? MAX_UUID
  if (hasNulCharacter(search)) return { items: [], next: null }

  const searched = { name: search || null, email: normalizeEmail(search) || null }
  const rows = await runCustomPlanned(db, (tx) => listNewestUsers(tx, before, searched, limit + 1))
  return toPage(
    rows,
    limit,
    (row) => row.id,
    (row) => row,
  )
}
