import type { AdminUser, AdminUserDetails } from '#contract/admin.ts'
import type { Db } from '../db/pool.ts'

/** Lists accounts older than `before`, newest first; with `search`, those that have it in their address or full name. */
export const listNewestUsers = (db: Db, before: string, search: string | null, limit: number) =>
  db<AdminUser[]>`
    select id, email, user_metadata ->> 'full_name' as full_name, created_at
    from auth.users
    where id < ${before}
      and (${search}::text is null
        or email like search_pattern(lower(${search}))
        or full_name_folded like search_pattern(search_fold(${search})))
    order by id desc
    limit ${limit}`

/** The account, with the hash of its person. */
export type UserDetailsRow = Omit<AdminUserDetails, 'person_id'> & { person_hash: Buffer | null }

export const findUserDetails = async (db: Db, id: string): Promise<UserDetailsRow | undefined> => {
  const [user] = await db<UserDetailsRow[]>`
    select id, email, person_hash, user_metadata ->> 'full_name' as full_name, created_at, email_confirmed_at, last_sign_in_at,
      is_admin, coalesce(banned_until > now(), false) or is_sanctioned(person_hash, 'suspend') as suspended,
      exists (select from holds_of(array[u.id])) as on_hold,
      (select count(*)::int from auth.factors where user_id = u.id and verified_at is not null) as factors
    from auth.users u
    where id = ${id}`
  return user
}
