import type { Answer, MessageReason, SentMessage } from '#contract/messages.ts'
import type { StoredLink } from '../attachments/image-link.ts'
import { MAX_UUID } from '../db/pagination.ts'
import type { Db } from '../db/pool.ts'
import { RETENTION } from '../retention.ts'

/** The three columns of the image are null when there is none. */
type ImageColumns = StoredLink | { [Name in keyof StoredLink]: null }

type MessageRow = ImageColumns & {
  id: string
  plate: string
  content_encrypted: Buffer
  reason: MessageReason | null
  inserted_at: string
  reply_encrypted: Buffer | null
  reply_answer: Answer | null
  replied_at: string | null
  kept_until: string
}

export type ReceivedRow = MessageRow & { vehicle_id: string; is_read: boolean }

/** `addressed_to` is the vehicle the message was written to, whether or not it is still there. */
export type SentRow = MessageRow & { addressed_to: string; email_status: SentMessage['email_status'] }

/** Selects until when a message is kept: its period begins anew with what happens to it (decision 0080). */
const keptUntilExpression = (db: Db) => db`
  greatest(m.inserted_at, m.replied_at) + ${RETENTION.messages.period}::interval`

/** Messages one statement deletes, with their images, notifications and emails: few enough to be quick. */
const DELETE_BATCH_SIZE = 500

/**
 * Deletes the messages whose period is over, a batch at a time; triggers and foreign keys take what belongs to them
 * along. One that is just being answered is left out.
 */
export const deleteOldMessages = async (db: Db): Promise<void> => {
  for (let count = DELETE_BATCH_SIZE; count === DELETE_BATCH_SIZE; ) {
    ;({ count } = await db`
      delete from messages where id in (
        select id from messages
        where inserted_at < now() - ${RETENTION.messages.period}::interval
          and (replied_at is null or replied_at < now() - ${RETENTION.messages.period}::interval)
        order by inserted_at
        limit ${DELETE_BATCH_SIZE}
        for update skip locked
      )`)
  }
}

/** Lists messages to a user's vehicles, newest first. Reads at most a page per vehicle, however full the inbox is. */
export const listReceived = (db: Db, ownerId: string, before: string | null, limit: number) =>
  db<ReceivedRow[]>`
    select m.id, v.plate, m.vehicle_id, m.content_encrypted, m.reason, a.id as image_id, a.name as image_name,
      a.link_encrypted as image_link, m.inserted_at, m.is_read, m.reply_encrypted, m.reply_answer, m.replied_at,
      ${keptUntilExpression(db)} as kept_until
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
    select m.id, v.plate, m.vehicle_id, m.content_encrypted, m.reason, a.id as image_id, a.name as image_name,
      a.link_encrypted as image_link, m.inserted_at, m.is_read, m.reply_encrypted, m.reply_answer, m.replied_at,
      ${keptUntilExpression(db)} as kept_until
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
    select m.id, v.plate, m.vehicle_id, m.content_encrypted, m.reason, a.id as image_id, a.name as image_name,
      a.link_encrypted as image_link, m.inserted_at, m.is_read, m.reply_encrypted, m.reply_answer, m.replied_at,
      ${keptUntilExpression(db)} as kept_until, (count(*) over ())::int as count,
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
 * Selects the state of a message's email, for its sender (decision 0078). It depends on the message's own row and age
 * alone, and never goes back: anything about the owner's other emails would reveal that two plates have one owner, or
 * that others write to them.
 */
const emailStatusExpression = (db: Db) => db`
  case
    when m.email_failed_at <= now() then 'failed'
    when m.inserted_at > now() - ${MIN_NOTICE_DELAY_S} * interval '1 second' then 'queued'
    else 'sent'
  end`

/**
 * Selects the reply, and until when the message is kept, for its sender: a reply by a person they had blocked never comes
 * (decision 0085).
 */
const deliveredReplyColumns = (db: Db) => db`
  case when not m.reply_withheld then m.reply_encrypted end as reply_encrypted,
  case when not m.reply_withheld then m.reply_answer end as reply_answer,
  case when not m.reply_withheld then m.replied_at end as replied_at,
  greatest(m.inserted_at, case when not m.reply_withheld then m.replied_at end)
    + ${RETENTION.messages.period}::interval as kept_until`

/** Lists the messages a user sent, newest first. */
export const listSent = (db: Db, senderId: string, before: string | null, limit: number) =>
  db<SentRow[]>`
    select m.id, m.plate, m.addressed_to, m.content_encrypted, m.reason, a.id as image_id, a.name as image_name,
      a.link_encrypted as image_link, m.inserted_at, ${deliveredReplyColumns(db)},
      ${emailStatusExpression(db)} as email_status
    from messages m
    left join attachments a on a.id = m.attachment_id
    where m.sender_id = ${senderId} and m.id < coalesce(${before}, ${MAX_UUID})::uuid
    order by m.id desc
    limit ${limit}`

/** Finds a message that this user sent. */
export const findSent = async (db: Db, id: string, senderId: string): Promise<SentRow | null> => {
  const [row] = await db<SentRow[]>`
    select m.id, m.plate, m.addressed_to, m.content_encrypted, m.reason, a.id as image_id, a.name as image_name,
      a.link_encrypted as image_link, m.inserted_at, ${deliveredReplyColumns(db)},
      ${emailStatusExpression(db)} as email_status
    from messages m
    left join attachments a on a.id = m.attachment_id
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

export type NewReply = {
  encryptedReply: Buffer
  answer: Answer | null
  /** The person who replies, encrypted for the message. */
  encryptedPerson: Buffer
  /** What the hash of a block of that person is made of. */
  blockSecret: Buffer
}

/**
 * Stores the reply to a message. Returns null when it is not this owner's message or already has a reply.
 *
 * @returns with the sender's account, if there still is one, and whether the sender has blocked this owner's person
 */
export const setReply = async (db: Db, id: string, ownerId: string, reply: NewReply) => {
  const [row] = await db<
    { sender_id: string | null; sender_email: string | null; typed_plate: string; is_withheld: boolean }[]
  >`
    update messages m set reply_encrypted = ${reply.encryptedReply}, owner_person_encrypted = ${reply.encryptedPerson},
      reply_answer = ${reply.answer}, replied_at = now(), is_read = true, reply_withheld = m.sender_id is not null and exists (
        select from blocks b where b.blocked_hash = blocked_hash(${reply.blockSecret}::bytea, m.sender_id, 'sent'))
    from vehicles v
    where m.id = ${id} and m.reply_encrypted is null and m.sender_id is distinct from ${ownerId}
      and v.id = m.vehicle_id and v.user_id = ${ownerId}
    returning m.sender_id, (select u.email from auth.users u where u.id = m.sender_id) as sender_email,
      m.plate as typed_plate, m.reply_withheld as is_withheld`
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

/**
 * Removes the sender from their messages. The recipients keep theirs, and nothing links them to each other any more; a
 * message that no recipient has is deleted (by a trigger).
 */
export const anonymizeSender = async (db: Db, senderId: string): Promise<void> => {
  await db`
    update messages set sender_id = null, idempotency_key = null, request_hash = null where sender_id = ${senderId}`
}
