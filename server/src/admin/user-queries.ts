import type { AdminUser } from '#contract/admin.ts'
import type { Db } from '../db/pool.ts'

/** Accounts older than `before`, newest first; with `search`, those that have it in their address or full name. */
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
