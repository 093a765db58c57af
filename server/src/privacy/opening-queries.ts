import { type AuditAction, OPENING_ACTIONS } from '#contract/admin.ts'
import { TIME_ZONE } from '#contract/product.ts'
import { newId } from '../db/ids.ts'
import type { Db } from '../db/pool.ts'

/** Something an admin opened, with the purpose they gave. */
export type OpeningRow = {
  id: string
  at: string
  actor_email: string
  action: AuditAction
  subject: string
  subject_id: string
  reason_encrypted: Buffer | null
}

/**
 * Begins the list of everything opened up to Monday 0:00 in Toronto, since the one before. Returns its id to the one caller
 * who began it, and null to all others. The first call of all only notes where lists begin.
 */
export const insertOpeningList = async (tx: Db): Promise<string | null> => {
  const [list] = await tx<{ id: string; is_first: boolean }[]>`
    insert into opening_lists (id, starts_at, ends_at)
    select ${newId()}::uuid, coalesce((select max(ends_at) from opening_lists), week.ends_at), week.ends_at
    from (
      -- an hour later than the period ends, so that nothing is missed that was being opened at midnight
      select date_trunc('week', (now() - interval '1 hour') at time zone ${TIME_ZONE}) at time zone ${TIME_ZONE} as ends_at
    ) week
    on conflict (ends_at) do nothing
    returning id, starts_at = ends_at as is_first`
  return list && !list.is_first ? list.id : null
}

/** Returns the period of a list; null when there is none. */
export const findOpeningList = async (db: Db, id: string): Promise<{ starts_at: string; ends_at: string } | null> => {
  const [list] = await db<{ starts_at: string; ends_at: string }[]>`
    select starts_at, ends_at from opening_lists where id = ${id}`
  return list ?? null
}

/** Lists what admins opened in a period, by admin and then by time. */
export const findOpenings = (db: Db, period: { starts_at: string; ends_at: string }, limit: number) =>
  db<OpeningRow[]>`
    select id, at, actor_email, action, subject, subject_id, reason_encrypted
    from audit_log
    where action = any(${[...OPENING_ACTIONS]}::text[]) and actor_email is not null
      and at >= ${period.starts_at} and at < ${period.ends_at}
    order by actor_email, id
    limit ${limit}`
