import type { MessageReason, SentMessage } from '#contract/messages.ts'
import { MAX_UUID } from '../db/pagination.ts'
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
      where vehicle_id = v.id and id < coalesce(${before}, ${MAX_UUID})::uuid
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

/**
 * Of these messages the newest that were sent to vehicles of this person, newest first; how many there are in all; and
 * their plate, null when they are about several.
 */
export const findReceivedAmong = async (db: Db, ids: string[], ownerId: string, limit: number) => {
  const rows = await db<(ReceivedRow & { count: number; one_plate: boolean })[]>`
    select m.id, v.plate, m.vehicle_id, m.content_sealed, m.reason, a.name as image_name, m.inserted_at, m.is_read,
      m.reply_sealed, m.replied_at, (count(*) over ())::int as count,
      min(v.plate) over () = max(v.plate) over () as one_plate
    from messages m
    join vehicles v on v.id = m.vehicle_id
    left join attachments a on a.id = m.attachment_id
    where m.id = any(${ids}::uuid[]) and v.user_id = ${ownerId}
    order by m.id desc
    limit ${limit}`
  const [newest] = rows
  return { rows, count: newest?.count ?? 0, plate: newest?.one_plate ? newest.plate : null }
}

/** A mail takes this long to leave; nobody is told sooner that theirs has. */
const MIN_NOTICE_DELAY_S = 3

/**
 * How the notice of a message stands, for its sender. One that waits for its owner's next digest counts as sent: the
 * owner had a mail minutes ago. Else two plates of one owner would show by it, and so would other people's messages; for
 * the same reason a notice is on its way for the first seconds, whether a mail leaves in them or not.
 */
const emailStatusExpression = (db: Db) => db`
  case
    when o.failed_at is not null then 'failed'
    when m.inserted_at > now() - ${MIN_NOTICE_DELAY_S} * interval '1 second' then 'queued'
    when o.id is null or o.sent_at is not null then 'sent'
    when o.attempts = 0 and d.tries = 0 and d.next_at > now() then 'sent'
    else 'queued'
  end`

/** The person's own messages, newest first. */
export const listSent = (db: Db, senderId: string, before: string | null, limit: number) =>
  db<SentRow[]>`
    select m.id, v.plate, m.content_sealed, m.reason, a.name as image_name, m.inserted_at, m.reply_sealed, m.replied_at,
      ${emailStatusExpression(db)} as email_status
    from messages m
    join vehicles v on v.id = m.vehicle_id
    left join attachments a on a.id = m.attachment_id
    left join outbox o on o.kind = 'message' and o.ref_id = m.id and o.recipient_id = v.user_id
    left join digests d on d.recipient_id = v.user_id
    where m.sender_id = ${senderId} and m.id < coalesce(${before}, ${MAX_UUID})::uuid
    order by m.id desc
    limit ${limit}`

/** The message if this person sent it. */
export const findSent = async (db: Db, id: string, senderId: string): Promise<SentRow | null> => {
  const [row] = await db<SentRow[]>`
    select m.id, v.plate, m.content_sealed, m.reason, a.name as image_name, m.inserted_at, m.reply_sealed, m.replied_at,
      ${emailStatusExpression(db)} as email_status
    from messages m
    join vehicles v on v.id = m.vehicle_id
    left join attachments a on a.id = m.attachment_id
    left join outbox o on o.kind = 'message' and o.ref_id = m.id and o.recipient_id = v.user_id
    left join digests d on d.recipient_id = v.user_id
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

/**
 * Holds all messages a person sent or got, in the order of their ids: two who hold the messages between them do not wait
 * for each other. As with a reply, messages come before the notifications about them.
 */
export const lockUserMessages = async (db: Db, senderId: string, vehicleIds: string[]): Promise<void> => {
  await db`
    select count(*) from (
      select 1 from messages
      where sender_id = ${senderId} or vehicle_id = any(${vehicleIds}::uuid[])
      order by id
      for no key update) held`
}

/** Messages stay with their recipients, and nothing in them tells any more that one person wrote them. */
export const anonymizeSender = async (db: Db, senderId: string): Promise<void> => {
  await db`
    update messages set sender_id = null, idempotency_key = null, request_hash = null where sender_id = ${senderId}`
}
