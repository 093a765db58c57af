import { MAX_BIGINT, MAX_UUID } from '../db/pagination.ts'
import type { Db } from '../db/pool.ts'

/** A session as its owner may see it. */
export type SessionListRow = {
  id: string
  user_agent: string | null
  ip: string | null
  created_at: string
  refreshed_at: string
  /** `refreshed_at` in microseconds since 1970, as exact as it is stored: what the list is paged by. */
  refreshed_us: string
}

/** Behind which session a page starts: two may have been refreshed at the same moment. */
export type SessionCursor = { refreshedUs: string; id: string }

/**
 * The sessions somebody uses, the last active first. One that came from a link and was never used is none of them: a
 * mail scanner may have opened it.
 *
 * @param before null: from the start
 */
export const listSessions = (db: Db, userId: string, before: SessionCursor | null, limit: number) =>
  db<SessionListRow[]>`
    select id, user_agent, host(ip) as ip, created_at, refreshed_at, refreshed_us::text
    from (
      select *, (extract(epoch from refreshed_at) * 1000000)::bigint as refreshed_us
      from auth.sessions
      where user_id = ${userId} and link_request_id is null
    ) used
    where (used.refreshed_us, id) < (${before?.refreshedUs ?? MAX_BIGINT}::bigint, ${before?.id ?? MAX_UUID}::uuid)
    order by used.refreshed_us desc, id desc
    limit ${limit}`
