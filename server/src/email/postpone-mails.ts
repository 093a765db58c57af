import type { Db } from '../db/pool.ts'

/** An email that quiet hours postpone, and for how long. */
export type PostponedMail = { id: string; recipientId: string; delayMs: number }

/**
 * Postpones leased emails until quiet hours end, as if nobody had tried them, and gives up the recipient locks of owners of
 * whom nothing else was leased (decision quiet-hours). What is urgent keeps the lock, and is sent meanwhile.
 */
export const postponeMails = async (db: Db, token: string, mails: PostponedMail[]): Promise<void> => {
  await db`
    with leased as (
      select o.id, h.delay_ms
      from unnest(${mails.map(({ id }) => id)}::uuid[], ${mails.map(({ delayMs }) => delayMs)}::float8[])
        as h (id, delay_ms)
      join outbox o on o.id = h.id and o.lease_token = ${token} and o.sent_at is null and o.failed_at is null
      order by o.id
      for update of o
    ), postponed as (
      update outbox o
      set run_at = now() + l.delay_ms * interval '1 millisecond', held = true, attempts = 0, due_since = null,
        lease_token = null
      from leased l where o.id = l.id
    )
    update digests d set next_at = now(), tries = 0, lease_token = null
    where d.recipient_id = any(${mails.map(({ recipientId }) => recipientId)}::uuid[]) and d.lease_token = ${token}
      and not exists (
        select from outbox o
        where o.recipient_id = d.recipient_id and o.kind = 'message' and o.lease_token = ${token}
          and o.sent_at is null and o.failed_at is null and o.id <> all(${mails.map(({ id }) => id)}::uuid[]))`
}
