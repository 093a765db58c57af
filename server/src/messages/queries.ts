import type { MessageReason, SentMessage } from '#contract/messages.ts'
import { MAX_UUID } from '../db/pagination.ts'
import type { Db } from '../db/pool.ts'

export type ReceivedRow = {
  id: string
  plate: string
  vehicle_id: string
  content_encrypted: Buffer
  reason: MessageReason | null
  image_name: string | null
  inserted_at: string
  is_read: boolean
  reply_encrypted: Buffer | null
  replied_at: string | null
}

export type SentRow = Omit<ReceivedRow, 'vehicle_id' | 'is_read'> & { email_status: SentMessage['email_status'] }

/** Lists messages to a user's vehicles, newest first. Reads at most a page per vehicle, however full the inbox is. */
export const listReceived = (db: Db, ownerId: string, before: string | null, limit: number) =>
  db<ReceivedRow[]>`
    select m.id, v.plate, m.vehicle_id, m.content_encrypted, m.reason, a.name as image_name, m.inserted_at, m.is_read,
      m.reply_encrypted, m.replied_at
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

/** Finds a message that was sent to a vehicle of this user. */
export const findReceived = async (db: Db, id: string, ownerId: string): Promise<ReceivedRow | null> => {
  const [row] = await db<ReceivedRow[]>`
    select m.id, v.plate, m.vehicle_id, m.content_encrypted, m.reason, a.name as image_name, m.inserted_at, m.is_read,
      m.reply_encrypted, m.replied_at
    from messages m
    join vehicles v on v.id = m.vehicle_id
    left join attachments a on a.id = m.attachment_id
    where m.id = ${id} and v.user_id = ${ownerId}`
  return row ?? null
}

/**
 * Finds the newest of some messages to vehicles of this user, newest first, with the number of all of them and their
 * plate, which is null when they are about several.
 */
export const findReceivedAmong = async (db: Db, ids: string[], ownerId: string, limit: number) => {
  const rows = await db<(ReceivedRow & { count: number; one_plate: boolean })[]>`
    select m.id, v.plate, m.vehicle_id, m.content_encrypted, m.reason, a.name as image_name, m.inserted_at, m.is_read,
      m.reply_encrypted, m.replied_at, (count(*) over ())::int as count,
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

/** An email may take this long to be sent, so none is shown as sent any sooner. */
const MIN_NOTICE_DELAY_S = 3

/**
 * Selects the state of a message's email, for its sender. A message that waits for its owner's next digest counts as
 * sent, because the owner got an email minutes ago: otherwise the state would reveal that two plates have one owner, or
 * that others write to them. For the same reason every email is queued for the first seconds, even if it was sent at
 * once.
 */
const emailStatusExpression = (db: Db) => db`
  case
    when o.failed_at is not null then 'failed'
    when m.inserted_at > now() - ${MIN_NOTICE_DELAY_S} * interval '1 second' then 'queued'
    when o.id is null or o.sent_at is not null then 'sent'
    when o.attempts = 0 and d.tries = 0 and d.next_at > now() then 'sent'
    else 'queued'
  end`

/** Lists the messages a user sent, newest first. */
export const listSent = (db: Db, senderId: string, before: string | null, limit: number) =>
  db<SentRow[]>`
    select m.id, v.plate, m.content_encrypted, m.reason, a.name as image_name, m.inserted_at, m.reply_encrypted, m.replied_at,
      ${emailStatusExpression(db)} as email_status
    from messages m
    join vehicles v on v.id = m.vehicle_id
    left join attachments a on a.id = m.attachment_id
    left join outbox o on o.kind = 'message' and o.ref_id = m.id and o.recipient_id = v.user_id
    left join digests d on d.recipient_id = v.user_id
    where m.sender_id = ${senderId} and m.id < coalesce(${before}, ${MAX_UUID})::uuid
    order by m.id desc
    limit ${limit}`

/** Finds a message that this user sent. */
export const findSent = async (db: Db, id: string, senderId: string): Promise<SentRow | null> => {
  const [row] = await db<SentRow[]>`
    select m.id, v.plate, m.content_encrypted, m.reason, a.name as image_name, m.inserted_at, m.reply_encrypted, m.replied_at,
      ${emailStatusExpression(db)} as email_status
    from messages m
    join vehicles v on v.id = m.vehicle_id
    left join attachments a on a.id = m.attachment_id
    left join outbox o on o.kind = 'message' and o.ref_id = m.id and o.recipient_id = v.user_id
    left join digests d on d.recipient_id = v.user_id
    where m.id = ${id} and m.sender_id = ${senderId}`
  return row ?? null
}

/** Marks a message. Returns false when this owner has no such message. */
export const setMessageRead = async (db: Db, id: string, ownerId: string, isRead: boolean): Promise<boolean> => {
  const { count } = await db`
    update messages m set is_read = ${isRead}
    from vehicles v
    where m.id = ${id} and v.id = m.vehicle_id and v.user_id = ${ownerId}`
  return count === 1
}

/** Stores the reply to a message. Returns null when it is not this owner's message or already has a reply. */
export const setReply = async (db: Db, id: string, ownerId: string, encryptedReply: Buffer) => {
  const [row] = await db<{ sender_id: string | null; plate: string }[]>`
    update messages m set reply_encrypted = ${encryptedReply}, replied_at = now(), is_read = true
    from vehicles v
    where m.id = ${id} and m.reply_encrypted is null and m.sender_id is distinct from ${ownerId}
      and v.id = m.vehicle_id and v.user_id = ${ownerId}
    returning m.sender_id, v.plate`
  return row ?? null
}

/**
 * Locks all messages a user sent or received, in the order of their ids, so that two users who wrote to each other
 * cannot deadlock. As with a reply, messages are locked before the notifications about them.
 */
export const lockUserMessages = async (db: Db, senderId: string, vehicleIds: string[]): Promise<void> => {
  await db`
    select count(*) from (
      select 1 from messages
      where sender_id = ${senderId} or vehicle_id = any(${vehicleIds}::uuid[])
      order by id
      for no key update) locked`
}

/** Removes the sender from their messages. The recipients keep them, and nothing links them to each other any more. */
export const anonymizeSender = async (db: Db, senderId: string): Promise<void> => {
  await db`
    update messages set sender_id = null, idempotency_key = null, request_hash = null where sender_id = ${senderId}`
}
