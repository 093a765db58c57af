import * as z from 'zod/mini'
import { normalizeEmail } from '#contract/addresses.ts'
import type { AdminUser, AdminUserDetails } from '#contract/admin.ts'
import type { PageParams } from '#contract/endpoint.ts'
import { MAX_UUID, pageLimit, parseCursor, toPage } from '../db/pagination.ts'
import type { Db, Pool } from '../db/pool.ts'
import { hasNulCharacter, runCustomPlanned } from './search.ts'

/** What accounts have to have in them: in the full name as it is, or in the address in its stored form; null: nothing. */
type UserSearch = { name: string | null; email: string | null }

/** Lists accounts older than `before` that have what is searched for, newest first. */
const listNewestUsers = (db: Db, before: string, { name, email }: UserSearch, limit: number) =>
  db<AdminUser[]>`
    select id, email, user_metadata ->> 'full_name' as full_name, created_at
    from auth.users
    where id < ${before}
      and (${name}::text is null
        or email like search_pattern(lower(${email}))
        or full_name_folded like search_pattern(search_fold(${name})))
    order by id desc
    limit ${limit}`

/** The account, with the hash of its person. */
type UserDetailsRow = Omit<AdminUserDetails, 'person_id'> & { person_hash: Buffer | null }

export const findUserDetails = async (db: Db, id: string): Promise<UserDetailsRow | undefined> => {
  const [user] = await db<UserDetailsRow[]>`
    select id, email, person_hash, user_metadata ->> 'full_name' as full_name, created_at, email_confirmed_at, last_sign_in_at,
      is_admin, (select count(*)::int from auth.factors where user_id = u.id and verified_at is not null) as factors
    from auth.users u
    where id = ${id}`
  return user
}

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
