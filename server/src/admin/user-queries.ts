import type { AdminUser, AdminUserDetails } from '#contract/admin.ts'
import type { Db } from '../db/pool.ts'

/** What accounts have to have in them: in the full name as it is, or in the address in its stored form; null: nothing. */
type UserSearch = { name: string | null; email: string | null }

/** Lists accounts older than `before` that have what is searched for, newest first. */
export const listNewestUsers = (db: Db, before: string, { name, email }: UserSearch, limit: number) =>
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
export type UserDetailsRow = Omit<AdminUserDetails, 'person_id'> & { person_hash: Buffer | null }

export const findUserDetails = async (db: Db, id: string): Promise<UserDetailsRow | undefined> => {
  const [user] = await db<UserDetailsRow[]>`
    select id, email, person_hash, user_metadata ->> 'full_name' as full_name, created_at, email_confirmed_at, last_sign_in_at,
      is_admin, coalesce(banned_until > now(), false) or is_sanctioned(person_hash, 'suspend') as suspended,
      (select count(*)::int from auth.factors where user_id = u.id and verified_at is not null) as factors
    from auth.users u
    where id = ${id}`
  return user
}
