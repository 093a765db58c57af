import type { Answer, MessageReason, SentMessage } from '#contract/messages.ts'
import { MAX_UUID } from '../db/pagination.ts'
import type { Db, Fragment } from '../db/pool.ts'
import { RETENTION } from '../retention.ts'

type MessageRow = {
  id: string
  image_id: string | null
  content_encrypted: Buffer
  reason: MessageReason | null
  inserted_at: string
  reply_encrypted: Buffer | null
  reply_answer: Answer | null
  replied_at: string | null
  kept_until: string
  collision_encrypted: Buffer | null
}

export type ReceivedRow = MessageRow & {
  plate: string
  vehicle_id: string
  is_read: boolean
  left_at_vehicle: boolean
  /** Of a reply, if there is one. */
  replied_by: 'me' | 'owner' | 'driver'
  /** Moderators removed the reply. */
  reply_removed: boolean
  /** The reader as a driver of the vehicle; null: its owner. */
  driver_id: string | null
}

/** `addressed_to` is the vehicle the message was written to, whether or not it is still there; a note has no plate. */
export type SentRow = MessageRow & {
  plate: string | null
  is_note: boolean
  addressed_to: string
  email_status: SentMessage['email_status']
} & Pick<SentMessage, 'nudged'>

/**
 * Selects until when a message is kept: its period begins anew with what happens to it (decision retention-and-deletion). One about a
 * collision is kept as long as a card, whether or not it has one (decision collision-messages).
 */
const keptUntilExpression = (db: Db) => db`
  greatest(greatest(m.inserted_at, m.replied_at) + ${RETENTION.messages}::interval, ${collisionKeptUntil(db)})`

/** Selects until when at least a message about a collision is kept; null for any other. */
const collisionKeptUntil = (db: Db) => db`
  case when m.has_collision then m.inserted_at + ${RETENTION.collisions}::interval end`

/** Deletes those of these messages that have neither a sender nor a recipient. */
export const deleteOrphans = async (tx: Db, ids: string[]): Promise<void> => {
  await tx`delete from messages where id = any(${ids}::uuid[]) and vehicle_id is null and sender_id is null`
}

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
        where inserted_at < now() - ${RETENTION.messages}::interval
          and (replied_at is null or replied_at < now() - ${RETENTION.messages}::interval)
          and (not has_collision or inserted_at < now() - ${RETENTION.collisions}::interval)
        order by inserted_at
        limit ${DELETE_BATCH_SIZE}
        for update skip locked
      )`)
  }
}

/** Which received messages are meant: those for one vehicle, those the reader has not read. */
export type ReceivedFilter = { vehicleId?: string | undefined; unread?: boolean | undefined }

/**
 * Lists messages to a user's vehicles, and those they may read as a driver, newest first. Reads at most a page per vehicle,
 * however full the inbox is, and whatever came before somebody became a driver.
 */
export const listReceived = (
  db: Db,
  readerId: string,
  before: string | null,
  limit: number,
  { vehicleId, unread }: ReceivedFilter = {},
) => {
  const isWanted = unread ? db`and not is_read` : db``
  const isWantedVehicle = vehicleId === undefined ? db`` : db`and v.id = ${vehicleId}`
  return db<ReceivedRow[]>`
    select m.id, m.owners_plate as plate, m.vehicle_id, m.content_encrypted, m.reason, m.attachment_id as image_id,
      m.inserted_at, m.was_read as is_read, m.reply_encrypted,
      m.reply_answer, m.replied_at, m.replied_by, m.reply_removed, m.left_at_vehicle, m.driver_id,
      m.collision_encrypted, ${keptUntilExpression(db)} as kept_until
    from (
      select v.plate as owners_plate, null::uuid as driver_id, m.is_read as was_read,
        case when m.reply_by_driver then 'driver' else 'me' end as replied_by, m.*
      from vehicles v
      cross join lateral (
        select * from messages
        where vehicle_id = v.id and id < coalesce(${before}, ${MAX_UUID})::uuid ${isWanted}
        order by id desc
        limit ${limit}
      ) m
      where v.user_id = ${readerId} ${isWantedVehicle}
      union all
      select v.plate, p.id, d.is_read,
        case when d.has_replied then 'me' when m.reply_by_driver then 'driver' else 'owner' end, m.*
      from vehicle_drivers p
      join vehicles v on v.id = p.vehicle_id
      cross join lateral (
        select * from driver_messages
        where driver_id = p.id and message_id < coalesce(${before}, ${MAX_UUID})::uuid ${isWanted}
        order by message_id desc
        limit ${limit}
      ) d
      join messages m on m.id = d.message_id
      where p.user_id = ${readerId} ${isWantedVehicle}
    ) m
    order by m.id desc
    limit ${limit}`
}

/** Selects a received message as somebody who may read it (`readerOf`) sees it. */
export const receivedColumns = (db: Db) => db`
  m.id, v.plate, m.vehicle_id, m.content_encrypted, m.reason, m.attachment_id as image_id,
  m.inserted_at, case when p.id is null then m.is_read else p.is_read end as is_read,
  m.left_at_vehicle, m.reply_encrypted, m.reply_answer, m.replied_at,
  m.reply_removed,
  case
    when p.has_replied or (p.id is null and not m.reply_by_driver) then 'me'
    when m.reply_by_driver then 'driver'
    else 'owner'
  end as replied_by, p.id as driver_id,
  m.collision_encrypted, ${keptUntilExpression(db)} as kept_until`

/** Finds who a reader of a message is besides its owner. For the owner nothing is read. */
export const readerOf = (db: Db, readerId: string | Fragment) => db`
  left join lateral (
    select p.id, d.is_read, d.has_replied
    from vehicle_drivers p join driver_messages d on d.driver_id = p.id and d.message_id = m.id
    where v.user_id <> ${readerId} and p.vehicle_id = v.id and p.user_id = ${readerId}
  ) p on true`

/** Finds a message that was sent to a vehicle of this user, or that they may read as its driver. */
export const findReceived = async (db: Db, id: string, readerId: string): Promise<ReceivedRow | null> => {
  const [row] = await db<ReceivedRow[]>`
    select ${receivedColumns(db)}
    from messages m
    join vehicles v on v.id = m.vehicle_id
    ${readerOf(db, readerId)}
    where m.id = ${id} and (v.user_id = ${readerId} or p.id is not null)`
  return row ?? null
}

/** An email may take this long to be sent, so none is shown as sent any sooner. */
const MIN_NOTICE_DELAY_S = 3

/**
 * Selects the state of a message's email, for its sender (decision mutual-anonymity). It depends on the message's own row and age
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
 * (decision blocking-people).
 */
const deliveredReplyColumns = (db: Db) => db`
  case when not m.reply_withheld then m.reply_encrypted end as reply_encrypted,
  case when not m.reply_withheld then m.reply_answer end as reply_answer,
  case when not m.reply_withheld then m.replied_at end as replied_at,
  greatest(greatest(m.inserted_at, case when not m.reply_withheld then m.replied_at end)
    + ${RETENTION.messages}::interval, ${collisionKeptUntil(db)}) as kept_until`

/** Selects a sent message as its sender sees it. */
const sentColumns = (db: Db) => db`
  m.id, m.plate, m.is_note, m.addressed_to, m.content_encrypted, m.reason, m.attachment_id as image_id,
  m.inserted_at, ${deliveredReplyColumns(db)}, m.collision_encrypted,
  ${emailStatusExpression(db)} as email_status, m.nudged_at is not null as nudged`

/** Lists the messages a user sent, newest first. */
export const listSent = (db: Db, senderId: string, before: string | null, limit: number) =>
  db<SentRow[]>`
    select ${sentColumns(db)}
    from messages m
    where m.sender_id = ${senderId} and m.id < coalesce(${before}, ${MAX_UUID})::uuid
    order by m.id desc
    limit ${limit}`

/** Finds a message that this user sent. */
export const findSent = async (db: Db, id: string, senderId: string): Promise<SentRow | null> => {
  const [row] = await db<SentRow[]>`
    select ${sentColumns(db)}
    from messages m
    where m.id = ${id} and m.sender_id = ${senderId}`
  return row ?? null
}

type NewGuestMessage = {
  id: string
  vehicleId: string
  plate: string
  reason: MessageReason
  encryptedContent: Buffer
  encryptedPerson: Buffer
  /** Whether the people of the vehicle must not get it; the sender keeps a receipt (decision blocking-people). */
  isWithheld: boolean
}

/** Stores a message that somebody without an account left at a vehicle (decision windshield-tag). */
export const insertGuestMessage = async (db: Db, message: NewGuestMessage): Promise<void> => {
  await db`
    insert into messages (id, vehicle_id, addressed_to, plate, content_encrypted, sender_person_encrypted, reason,
      left_at_vehicle)
    values (${message.id}, ${message.isWithheld ? null : message.vehicleId}, ${message.vehicleId}, ${message.plate},
      ${message.encryptedContent}, ${message.encryptedPerson}, ${message.reason}, true)`
}

/** Marks a message for one of its readers; nothing for anybody else. */
export const setMessageRead = async (db: Db, id: string, readerId: string, isRead: boolean): Promise<void> => {
  await db`
    with by_owner as (
      update messages m set is_read = ${isRead}
      from vehicles v
      where m.id = ${id} and v.id = m.vehicle_id and v.user_id = ${readerId}
    )
    update driver_messages d set is_read = ${isRead}
    from vehicle_drivers p
    where d.message_id = ${id} and p.id = d.driver_id and p.user_id = ${readerId}`
}

/** Stores how far a witness has come since the message was sent. */
export const setCollision = async (db: Db, id: string, encrypted: Buffer): Promise<void> => {
  await db`update messages set collision_encrypted = ${encrypted} where id = ${id}`
}

type NewReply = {
  encryptedReply: Buffer
  answer: Answer | null
  /** The person who replies, encrypted for the message. */
  encryptedPerson: Buffer
  /**
   * What the hashes of blocks are made of: of the person who replies and of the owner of the vehicle. A block of one is a block
   * of all, so that nobody learns from it how many they are.
   */
  blockSecrets: Buffer[]
}

/**
 * Stores the reply to a message. Returns null when this user may not read the message, or it already
 * has a reply, or had one that was removed: of two people who reply at one moment one does.
 *
 * @param driverId the user as a driver of the vehicle; null: its owner
 * @returns with the sender's account, if there still is one, and whether the sender has blocked replies of these people
 */
export const setReply = async (db: Db, id: string, readerId: string, driverId: string | null, reply: NewReply) => {
  const [row] = await db<
    { sender_id: string | null; sender_person: Buffer | null; typed_plate: string | null; is_withheld: boolean }[]
  >`
    update messages m set reply_encrypted = ${reply.encryptedReply}, owner_person_encrypted = ${reply.encryptedPerson},
      reply_answer = ${reply.answer}, replied_at = now(), reply_by_driver = ${driverId !== null},
      is_read = m.is_read or ${driverId === null}, reply_withheld = m.sender_id is not null and exists (
        select from unnest(${reply.blockSecrets}::bytea[]) s (secret)
        join blocks b on b.blocked_hash = blocked_hash(s.secret, m.sender_id, 'sent'))
    from vehicles v
    where m.id = ${id} and m.reply_encrypted is null and not m.reply_removed and m.sender_id is distinct from ${readerId}
      and v.id = m.vehicle_id and (v.user_id = ${readerId} or ${driverId !== null})
    returning m.sender_id, (select u.person_hash from auth.users u where u.id = m.sender_id) as sender_person,
      m.plate as typed_plate, m.reply_withheld as is_withheld`
  return row ?? null
}

/**
 * Marks a message as read and answered by a driver, and keeps the driver from being removed until the transaction ends.
 * Returns false when they no longer are one.
 */
export const setDriverReplied = async (db: Db, id: string, driverId: string): Promise<boolean> => {
  const { count } = await db`
    update driver_messages set is_read = true, has_replied = true where driver_id = ${driverId} and message_id = ${id}`
  return count === 1
}

/** Returns the person who owns the vehicle of a message. */
export const findOwnerPerson = async (db: Db, id: string): Promise<Buffer | null> => {
  const [row] = await db<{ person_hash: Buffer }[]>`
    select u.person_hash from messages m
    join vehicles v on v.id = m.vehicle_id
    join auth.users u on u.id = v.user_id
    where m.id = ${id}`
  return row?.person_hash ?? null
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
