import type { GuestLanguage } from '#contract/guest-languages.ts'
import type { GuestReason } from '#contract/guest-texts.ts'
import type { Answer } from '#contract/messages.ts'
import type { BrowserPushSubscription } from '#contract/push.ts'
import { newId } from '../db/ids.ts'
import type { Db } from '../db/pool.ts'
import { type BlockableSender, isBlockedExpression } from '../messages/sender-blocks.ts'
import { serviceOf } from '../push/service-slots.ts'
import { RETENTION } from '../retention.ts'
import type { TagKey } from './secrets.ts'

export type TagRow = { id: string; vehicle_id: string; token_encrypted: Buffer; created_at: string }

type NewTag = { id: string; vehicleId: string; tokenHash: Buffer; digitsHash: Buffer; encryptedToken: Buffer }

/** Stores the tag of a vehicle in place of the one it had. Returns null when it is not this owner's vehicle. */
export const replaceTag = async (db: Db, ownerId: string, tag: NewTag): Promise<TagRow | null> => {
  const [row] = await db<TagRow[]>`
    insert into tags (id, vehicle_id, token_hash, digits_hash, token_encrypted)
    select ${tag.id}, v.id, ${tag.tokenHash}, ${tag.digitsHash}, ${tag.encryptedToken}
    from vehicles v where v.id = ${tag.vehicleId} and v.user_id = ${ownerId}
    on conflict (vehicle_id) do update set id = excluded.id, token_hash = excluded.token_hash,
      digits_hash = excluded.digits_hash, token_encrypted = excluded.token_encrypted, created_at = now()
    returning id, vehicle_id, token_encrypted, created_at`
  return row ?? null
}

/** Lists the tags of an owner's vehicles, or of one of them, newest vehicle first. */
export const listOwnTags = (db: Db, ownerId: string, vehicleId: string | null = null) =>
  db<TagRow[]>`
    select t.id, t.vehicle_id, t.token_encrypted, t.created_at
    from tags t
    join vehicles v on v.id = t.vehicle_id
    where v.user_id = ${ownerId} and (${vehicleId}::uuid is null or v.id = ${vehicleId}::uuid)
    order by v.id desc`

/** Deletes the tag of a vehicle. Returns false when this owner has no such vehicle, or it has none. */
export const deleteTag = async (db: Db, ownerId: string, vehicleId: string): Promise<boolean> => {
  const { count } = await db`
    delete from tags t using vehicles v
    where v.id = t.vehicle_id and v.id = ${vehicleId} and v.user_id = ${ownerId}`
  return count === 1
}

/** What a try with a tag depends on. Every column of the vehicle is null where there is no such tag. */
export type TagFacts = {
  vehicle_id: string | null
  owner_id: string | null
  plate: string | null
  plate_key: string | null
  is_reachable: boolean
  is_asleep: boolean
  /** Whether a block or a sanction keeps what this guest leaves from the people of the vehicle. */
  is_blocked: boolean
}

/**
 * Reads what a try with a tag depends on: one row, by the same statement for every tag, be it live, revoked or unknown.
 *
 * @param guest with the person that sanctions are about
 */
export const readTagFacts = async (
  db: Db,
  key: TagKey,
  sleepKey: string,
  guest: BlockableSender & { person: Buffer },
): Promise<TagFacts> => {
  const [row] = await db<TagFacts[]>`
    select v.id as vehicle_id, v.user_id as owner_id, v.plate, v.plate_key,
      coalesce(is_reachable(v.status, v.paused) and not is_account_sanctioned(v.user_id, 'suspend'), false) as is_reachable,
      exists (select from rate_counters c where c.key = ${sleepKey} and c.expires_at > now()) as is_asleep,
      ${isBlockedExpression(db, { ownerId: db`v.user_id`, vehicleId: db`v.id` }, guest)} or is_sanctioned(${guest.person}::bytea, 'suspend') as is_blocked
    from (select 1) one
    left join tags t on t.digits_hash = ${key.digitsHash}
      and (${key.tokenHash}::bytea is null or t.token_hash = ${key.tokenHash}::bytea)
    left join vehicles v on v.id = t.vehicle_id`
  return row! // a join with one row has one row
}

/** Waits for other tries with the same tag, and holds it until the transaction ends. */
export const lockTries = async (tx: Db, counter: string): Promise<void> => {
  await tx`select pg_advisory_xact_lock(hashtextextended(${counter}, 0))`
}

export const insertReceipt = async (
  db: Db,
  receipt: { messageId: string; receiptHash: Buffer; language: GuestLanguage },
): Promise<void> => {
  await db`
    insert into receipts (id, message_id, receipt_hash, language)
    values (${newId()}, ${receipt.messageId}, ${receipt.receiptHash}, ${receipt.language})`
}

type ReceiptRow = {
  id: string
  message_id: string
  language: GuestLanguage
  reason: GuestReason
  addressed_to: string
  sender_person_encrypted: Buffer | null
  inserted_at: string
  nudged: boolean
  reply_encrypted: Buffer | null
  reply_answer: Answer | null
  replied_at: string | null
}

export const findReceipt = async (db: Db, receiptHash: Buffer): Promise<ReceiptRow | null> => {
  const [row] = await db<ReceiptRow[]>`
    select r.id, r.message_id, r.language, m.reason, m.addressed_to, m.sender_person_encrypted, m.inserted_at,
      m.nudged_at is not null as nudged, m.reply_encrypted, m.reply_answer, m.replied_at
    from receipts r
    join messages m on m.id = r.message_id
    where r.receipt_hash = ${receiptHash}`
  return row ?? null
}

/** Deletes the receipts whose period is over, and with them their devices. Returns the messages they are of. */
export const takeOldReceipts = async (tx: Db): Promise<string[]> => {
  const rows = await tx<{ message_id: string }[]>`
    delete from receipts r using messages m
    where m.id = r.message_id and r.created_at < now() - ${RETENTION.receipts}::interval
      and (m.replied_at is null or m.replied_at < now() - ${RETENTION.receipts}::interval)
    returning r.message_id`
  return rows.map(({ message_id }) => message_id)
}

/** Stores the device that is notified of the answer to a receipt, replacing the one before. */
export const saveReceiptPush = async (
  db: Db,
  {
    id,
    receiptId,
    encryptedReceipt,
    device,
  }: {
    id: string
    receiptId: string
    encryptedReceipt: Buffer
    device: BrowserPushSubscription
  },
): Promise<void> => {
  await db`
    insert into receipt_pushes (id, receipt_id, endpoint, p256dh, auth, receipt_encrypted)
    values (${id}, ${receiptId}, ${device.endpoint}, ${device.keys.p256dh}, ${device.keys.auth}, ${encryptedReceipt})
    on conflict (receipt_id) do update set id = excluded.id, endpoint = excluded.endpoint, p256dh = excluded.p256dh,
      auth = excluded.auth, receipt_encrypted = excluded.receipt_encrypted, tries = 0, next_at = now()`
}

/** A device leased to this worker. Only the worker whose `tries` it has may record how the push ended: they are its fencing token. */
export type ReceiptPush = {
  id: string
  endpoint: string
  /** Whose push service it is, by `serviceOf`. */
  service: string
  p256dh: string
  auth: string
  receipt_encrypted: Buffer
  language: GuestLanguage
  tries: number
}

/** Longer than any push takes (`PUSH_TIMEOUT_MS`): after it another worker tries what a killed one had. */
const LEASE = '30 seconds'

/** Leases devices that are to be notified of an answer, except those of some push services; no two workers get the same one. */
export const leaseReceiptPushes = (db: Db, limit: number, fullServices: string[] = []) =>
  db<ReceiptPush[]>`
    update receipt_pushes p
    set tries = p.tries + 1, next_at = now() + ${LEASE}::interval
    from receipts r
    where r.id = p.receipt_id and p.id in (
      select due.id from receipt_pushes due
      join receipts r on r.id = due.receipt_id
      join messages m on m.id = r.message_id
      where due.next_at <= now() and m.replied_at is not null and ${serviceOf(db)} <> all(${fullServices}::text[])
      order by due.next_at
      limit ${limit}
      for update of due skip locked)
    returning p.id, p.endpoint, ${serviceOf(db)} as service, p.p256dh, p.auth, p.receipt_encrypted, r.language, p.tries`

/** Ends a lease, and makes the push due again after a delay in milliseconds. */
export const deferReceiptPush = async (db: Db, { id, tries }: ReceiptPush, delayMs: number): Promise<void> => {
  await db`
    update receipt_pushes set next_at = now() + ${delayMs} * interval '1 millisecond' where id = ${id} and tries = ${tries}`
}

/** Forgets a device that was notified, or never will be. */
export const deleteReceiptPush = async (db: Db, { id, tries }: ReceiptPush): Promise<void> => {
  await db`delete from receipt_pushes where id = ${id} and tries = ${tries}`
}
