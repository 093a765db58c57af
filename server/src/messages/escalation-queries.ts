import type { MessageReason } from '#contract/messages.ts'
import type { Db, Fragment } from '../db/pool.ts'
import { type BlockableSender, isBlockedExpression } from './sender-blocks.ts'

/** What is to be done about a message, besides what its send did (decision vehicle-people). */
type EscalationStep = 'share' | 'everybody' | 'nudge'
export type DueStep = { messageId: string; step: EscalationStep }

/** Lists steps that are due, the longest waiting first. */
export const listDueSteps = async (db: Db, now: Date, limit: number): Promise<DueStep[]> =>
  db<DueStep[]>`
    select message_id as "messageId", step from message_steps
    where due_at <= ${now.toISOString()}::timestamptz
    order by due_at
    limit ${limit}`

/**
 * Claims a step: it is done when the transaction commits, and due again when it does not. Returns false when it is another
 * worker's, or somebody has answered. Waits for nobody, and so cannot deadlock with what deletes or answers messages.
 */
export const claimEscalationStep = async (tx: Db, { messageId, step }: DueStep, now: Date): Promise<boolean> => {
  const taken = await tx`
    select from message_steps s join messages m on m.id = s.message_id
    where s.message_id = ${messageId} and s.step = ${step} and s.due_at <= ${now.toISOString()}::timestamptz
    for key share of m skip locked
    for update of s skip locked`
  if (taken.length === 0) return false
  await tx`delete from message_steps where message_id = ${messageId} and step = ${step}`
  return true
}

/** Adds a step to do later. */
export const insertStep = async (tx: Db, { messageId, step }: DueStep, dueAt: Date): Promise<void> => {
  await tx`
    insert into message_steps (message_id, step, due_at) values (${messageId}, ${step}, ${dueAt.toISOString()}::timestamptz)
    on conflict (message_id, step) do nothing`
}

/** Deletes the steps that are still to be done about a message. */
export const deleteSteps = async (tx: Db, messageId: string): Promise<void> => {
  await tx`delete from message_steps where message_id = ${messageId}`
}

export type EscalatedMessage = {
  vehicle_id: string
  plate: string
  owner_id: string
  reason: MessageReason | null
  inserted_at: string
  /** Whether there is a reply, or was one that moderators removed: there will be no other. */
  is_answered: boolean
  sender_person_encrypted: Buffer | null
}

/** Finds a message with the vehicle that has it; undefined when that is gone. */
export const findEscalated = async (tx: Db, messageId: string) => {
  const [row] = await tx<EscalatedMessage[]>`
    select v.id as vehicle_id, v.plate, v.user_id as owner_id, m.reason, m.inserted_at,
      m.replied_at is not null or m.reply_removed as is_answered, m.sender_person_encrypted
    from messages m join vehicles v on v.id = m.vehicle_id
    where m.id = ${messageId}`
  return row
}

type Driver = { id: string; user_id: string }

/**
 * Lets the drivers of a vehicle read a message: those who were drivers when it came, have not blocked its sender and are not
 * suspended. They stay until the transaction ends. Returns all who may read it.
 */
export const shareWithDrivers = async (
  tx: Db,
  messageId: string,
  { vehicle_id, inserted_at }: EscalatedMessage,
  sender: BlockableSender,
): Promise<Driver[]> => {
  const drivers = await tx<Driver[]>`
    select p.id, p.user_id from vehicle_drivers p
    where p.vehicle_id = ${vehicle_id} and p.joined_at <= ${inserted_at}::timestamptz
      and not is_account_sanctioned(p.user_id, 'suspend')
      and not ${isBlockedExpression(tx, tx`p.user_id`, sender)}
    order by p.id
    for key share of p`
  await tx`
    insert into driver_messages (driver_id, message_id)
    select id, ${messageId}::uuid from unnest(${drivers.map(({ id }) => id)}::uuid[]) as d (id)
    on conflict (driver_id, message_id) do nothing`
  return drivers
}

/** Lists the drivers who may read a message, and keeps them until the transaction ends. */
export const lockReadingDrivers = (tx: Db, messageId: string) =>
  tx<Driver[]>`
    select p.id, p.user_id from driver_messages d join vehicle_drivers p on p.id = d.driver_id
    where d.message_id = ${messageId} and not is_account_sanctioned(p.user_id, 'suspend')
    order by p.id
    for key share of p`

/**
 * Lists who was notified of a message and is still one of the people of its vehicle, and locks the drivers among them until the
 * transaction ends: a former driver is not notified any more, not even at this moment. Leaves out who is suspended.
 *
 * @param exceptUserId somebody to leave out
 * @param sender leaves out who has blocked the sender, and everybody when the owner has
 */
export const lockNotified = async (
  tx: Db,
  messageId: string,
  { exceptUserId = null, sender }: { exceptUserId?: string | null; sender?: BlockableSender },
): Promise<string[]> => {
  const unlessBlockedBy = (receiverId: Fragment) =>
    sender ? tx`and not ${isBlockedExpression(tx, receiverId, sender)}` : tx``
  const rows = await tx<{ user_id: string }[]>`
    with drivers as materialized (
      select p.user_id from driver_messages d join vehicle_drivers p on p.id = d.driver_id
      where d.message_id = ${messageId} and p.user_id is distinct from ${exceptUserId}
      order by p.id
      for key share of p
    )
    select n.user_id
    from messages m
    join vehicles v on v.id = m.vehicle_id
    join notifications n on n.message_id = m.id and n.type = 'message_received'
    where m.id = ${messageId} and n.user_id is distinct from ${exceptUserId}
      and (n.user_id = v.user_id or n.user_id in (select user_id from drivers))
      and not is_account_sanctioned(n.user_id, 'suspend')
      ${unlessBlockedBy(tx`n.user_id`)} ${unlessBlockedBy(tx`v.user_id`)}
    order by n.user_id`
  return rows.map(({ user_id }) => user_id)
}

/** Finds who has a vehicle now: a driver, or with a null id its owner; undefined when nobody does. */
export const findHolder = async (tx: Db, vehicleId: string, now: Date) => {
  const [row] = await tx<{ driver_id: string | null }[]>`
    select driver_id from vehicle_holders
    where vehicle_id = ${vehicleId} and (until is null or until > ${now.toISOString()}::timestamptz)`
  return row
}

/**
 * Records the one reminder of a sender, if the message is old enough and its sender sees no answer. All it depends on is the
 * sender's own. Returns false when it is not allowed now, or there is no such message.
 */
export const setNudged = async (tx: Db, id: string, senderId: string, afterMinutes: number): Promise<boolean> => {
  const { count } = await tx`
    update messages set nudged_at = now()
    where id = ${id} and sender_id = ${senderId} and not is_note and nudged_at is null and (replied_at is null or reply_withheld)
      and inserted_at <= now() - ${afterMinutes} * interval '1 minute'`
  return count === 1
}

/**
 * Queues a reminder to the people of the vehicle, unless the message never reached them, was answered or its sender is blocked
 * by now.
 */
export const insertNudgeStep = async (tx: Db, id: string, blockSecret: Buffer): Promise<void> => {
  await tx`
    insert into message_steps (message_id, step, due_at)
    select m.id, 'nudge', now()
    from messages m join vehicles v on v.id = m.vehicle_id
    where m.id = ${id} and m.replied_at is null and not m.reply_removed
      and not exists (select from blocks b where b.blocked_hash = blocked_hash(${blockSecret}::bytea, v.user_id, 'received'))`
}

/** Deletes the steps that were due before now: in a restored backup they have been taken long ago. */
export const deleteDueSteps = async (tx: Db): Promise<void> => {
  await tx`delete from message_steps where due_at <= now()`
}
