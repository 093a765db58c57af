import type { MessageReason, SentMessage } from '#contract/messages.ts'
import { LAST_ID } from '../db/keyset.ts'
import type { Db } from '../db/pool.ts'

export type ReceivedRow = {
  id: string
  plate: string
  vehicle_id: string
  content_sealed: Buffer
  reason: MessageReason | null
  image_name: string | null
  inserted_at: string
  is_read: boolean
  reply_sealed: Buffer | null
  replied_at: string | null
}

export type SentRow = Omit<ReceivedRow, 'vehicle_id' | 'is_read'> & { email_status: SentMessage['email_status'] }

/** Messages to the person's vehicles, newest first; each vehicle gives at most a page, so a full inbox costs no more. */
export const listReceived = (db: Db, ownerId: string, before: string | null, limit: number) =>
  db<ReceivedRow[]>`
    select m.id, v.plate, m.vehicle_id, m.content_sealed, m.reason, a.name as image_name, m.inserted_at, m.is_read,
      m.reply_sealed, m.replied_at
    from vehicles v
    cross join lateral (
      select * from messages
      where vehicle_id = v.id and id < coalesce(${before}, ${LAST_ID})::uuid
      order by id desc
      limit ${limit}
    ) m
    left join attachments a on a.id = m.attachment_id
    where v.user_id = ${ownerId}
    order by m.id desc
    limit ${limit}`

/** The message if it was sent to a vehicle of this person. */
export const findReceived = async (db: Db, id: string, ownerId: string): Promise<ReceivedRow | null> => {
  const [row] = await db<ReceivedRow[]>`
    select m.id, v.plate, m.vehicle_id, m.content_sealed, m.reason, a.name as image_name, m.inserted_at, m.is_read,
      m.reply_sealed, m.replied_at
    from messages m
    join vehicles v on v.id = m.vehicle_id
    left join attachments a on a.id = m.attachment_id
    where m.id = ${id} and v.user_id = ${ownerId}`
  return row ?? null
}

/** The person's own messages, newest first. */
export const listSent = (db: Db, senderId: string, before: string | null, limit: number) =>
  db<SentRow[]>`
    select m.id, v.plate, m.content_sealed, m.reason, a.name as image_name, m.inserted_at, m.reply_sealed, m.replied_at,
      case when o.sent_at is not null then 'sent' when o.failed_at is not null then 'failed'
        when o.id is not null then 'queued' else 'none' end as email_status
    from messages m
    join vehicles v on v.id = m.vehicle_id
    left join attachments a on a.id = m.attachment_id
    left join outbox o on o.kind = 'message' and o.ref_id = m.id and o.recipient_id = v.user_id
    where m.sender_id = ${senderId} and m.id < coalesce(${before}, ${LAST_ID})::uuid
    order by m.id desc
    limit ${limit}`

/** The message if this person sent it. */
export const findSent = async (db: Db, id: string, senderId: string): Promise<SentRow | null> => {
  const [row] = await db<SentRow[]>`
    select m.id, v.plate, m.content_sealed, m.reason, a.name as image_name, m.inserted_at, m.reply_sealed, m.replied_at,
      case when o.sent_at is not null then 'sent' when o.failed_at is not null then 'failed'
        when o.id is not null then 'queued' else 'none' end as email_status
    from messages m
    join vehicles v on v.id = m.vehicle_id
    left join attachments a on a.id = m.attachment_id
    left join outbox o on o.kind = 'message' and o.ref_id = m.id and o.recipient_id = v.user_id
    where m.id = ${id} and m.sender_id = ${senderId}`
  return row ?? null
}

/** False when there is no such message for this owner. */
export const setMessageRead = async (db: Db, id: string, ownerId: string, isRead: boolean): Promise<boolean> => {
  const { count } = await db`
    update messages m set is_read = ${isRead}
    from vehicles v
    where m.id = ${id} and v.id = m.vehicle_id and v.user_id = ${ownerId}`
  return count === 1
}

/** What the reply's notice needs, or null when it is not this owner's message or it has a reply. */
export const setReply = async (db: Db, id: string, ownerId: string, sealed: Buffer) => {
  const [row] = await db<{ sender_id: string | null; plate: string }[]>`
    update messages m set reply_sealed = ${sealed}, replied_at = now(), is_read = true
    from vehicles v
    where m.id = ${id} and m.reply_sealed is null and m.sender_id is distinct from ${ownerId}
      and v.id = m.vehicle_id and v.user_id = ${ownerId}
    returning m.sender_id, v.plate`
  return row ?? null
}
