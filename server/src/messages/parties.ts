import type { MessageView } from '#contract/messages.ts'
import type { AppContext } from '../context.ts'
import type { Db } from '../db/pool.ts'
import { decryptPerson, splitSender } from './message-encryption.ts'

/** The persons of a message (`hashPerson`); null: nothing is known of that one any more. */
export type MessageParties = {
  /** The side of the caller. */
  view: MessageView
  /** As that side reads it; null: the sender of a note reads none. */
  plate: string | null
  inserted_at: string
  /** The caller as a driver of the vehicle; null: its owner, or the sender. */
  driverId: string | null
  /** The vehicle it was written to, which may be gone. */
  vehicleId: string
  sender: Buffer | null
  /** The network of somebody without an account who left the message at the vehicle; null for everybody else. */
  senderNetwork: Buffer | null
  /** The owner of the vehicle, who stands for all of its people. */
  owner: Buffer | null
  /** The author of the reply, the owner or a driver; without a reply the owner. */
  replier: Buffer | null
}

type PartiesRow = {
  view: MessageView
  plate: string | null
  inserted_at: string
  addressed_to: string
  driver_id: string | null
  sender_hash: Buffer | null
  owner_hash: Buffer | null
  sender_person_encrypted: Buffer | null
  owner_person_encrypted: Buffer | null
  reply_by_driver: boolean
}

/**
 * Finds out who wrote a message, and to whom, for somebody who received or sent it: by their accounts, or when those are gone
 * by what the message keeps of them. Returns null when it is not this user's message.
 */
export async function findMessageParties(
  { db, keyring, log }: Pick<AppContext, 'db' | 'keyring' | 'log'>,
  id: string,
  userId: string,
): Promise<MessageParties | null> {
  const row = await findParties(db, id, userId)
  if (!row) return null
  const ref = { id, vehicleId: row.addressed_to }
  const toPerson = (hash: Buffer | null, column: 'sender_person' | 'owner_person', encrypted: Buffer | null) =>
    hash ?? decryptPerson({ keyring, log }, column, ref, encrypted)
  const { person, network } = splitSender(toPerson(row.sender_hash, 'sender_person', row.sender_person_encrypted))
  const owner = toPerson(row.owner_hash, 'owner_person', row.owner_person_encrypted)
  return {
    view: row.view,
    plate: row.plate,
    inserted_at: row.inserted_at,
    driverId: row.driver_id,
    vehicleId: row.addressed_to,
    sender: person,
    senderNetwork: network,
    owner,
    replier: row.reply_by_driver ? toPerson(null, 'owner_person', row.owner_person_encrypted) : owner,
  }
}

const findParties = async (db: Db, id: string, userId: string): Promise<PartiesRow | null> => {
  const [row] = await db<PartiesRow[]>`
    select case when received.id is not null then 'received' else 'sent' end as view,
      coalesce(received.plate, m.plate) as plate, m.reply_by_driver, m.inserted_at, m.addressed_to, driver.id as driver_id, sender.person_hash as sender_hash,
      owner.person_hash as owner_hash, m.sender_person_encrypted, m.owner_person_encrypted
    from messages m
    left join lateral (
      select p.id from vehicle_drivers p join driver_messages d on d.driver_id = p.id and d.message_id = m.id
      where p.vehicle_id = m.vehicle_id and p.user_id = ${userId}
    ) driver on true
    left join vehicles received on received.id = m.vehicle_id and (received.user_id = ${userId} or driver.id is not null)
    left join vehicles addressed on addressed.id = m.addressed_to
    left join auth.users owner on owner.id = addressed.user_id
    left join auth.users sender on sender.id = m.sender_id
    where m.id = ${id} and (received.id is not null or m.sender_id = ${userId})`
  return row ?? null
}
