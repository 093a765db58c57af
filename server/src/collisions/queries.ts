import type { MessageView } from '#contract/messages.ts'
import type { Db } from '../db/pool.ts'
import { RETENTION } from '../retention.ts'

/** A card as it is stored with its message. */
export type NewCard = { id: string; messageHash: Buffer; keyEnvelope: Buffer; box: Buffer }

type CardRow = { id: string; key_envelope: Buffer; card_box: Buffer }

/** Finds the card of a message, by the hash of its id. Who may read it was found out before. */
export const findCard = async (db: Db, messageHash: Buffer): Promise<CardRow | null> => {
  const [row] = await db<CardRow[]>`
    select id, key_envelope, card_box from collision_cards where message_hash = ${messageHash}`
  return row ?? null
}

export const listPhotos = (db: Db, cardId: string) =>
  db<{ place: number; photo_box: Buffer }[]>`
    select place, photo_box from collision_photos where card_id = ${cardId} order by place`

export const insertPhoto = async (db: Db, cardId: string, position: number, box: Buffer): Promise<void> => {
  await db`insert into collision_photos (card_id, place, photo_box) values (${cardId}, ${position}, ${box})`
}

/** Deletes the photos of a card that was not sent; those of one that was stay. */
export const deletePhotos = async (db: Db, cardId: string): Promise<void> => {
  await db`
    delete from collision_photos
    where card_id = ${cardId} and not exists (select from collision_cards where id = ${cardId})`
}

type CollisionRow = {
  view: MessageView
  plate: string
  inserted_at: string
  addressed_to: string
  content_encrypted: Buffer
  collision_encrypted: Buffer | null
  sender_id: string | null
  /** The owner's account; null: the vehicle is gone, or the message reached nobody. */
  owner_id: string | null
}

/**
 * Finds the collision of a message for its sender, or for the owner of the vehicle it was sent to.
 *
 * @param lock whether to lock the message, to change it
 */
export const findCollision = async (db: Db, id: string, userId: string, lock = false): Promise<CollisionRow | null> => {
  const [row] = await db<CollisionRow[]>`
    select case when m.sender_id = ${userId} then 'sent' else 'received' end as view,
      case when m.sender_id = ${userId} then m.plate else v.plate end as plate, m.inserted_at, m.addressed_to,
      m.content_encrypted, m.collision_encrypted, m.sender_id, v.user_id as owner_id
    from messages m
    left join vehicles v on v.id = m.vehicle_id
    where m.id = ${id} and m.has_collision and (m.sender_id = ${userId} or v.user_id = ${userId})
    ${lock ? db`for no key update of m` : db``}`
  return row ?? null
}

/**
 * Returns whether somebody has blocked a person (decision blocking-people).
 *
 * @param secret what the hash of a block of that person is made of
 * @param view where that somebody would see what the person writes
 */
export const isBlockedBy = async (db: Db, secret: Buffer, receiverId: string, view: MessageView): Promise<boolean> => {
  const rows = await db`
    select from blocks where blocked_hash = blocked_hash(${secret}::bytea, ${receiverId}::uuid, ${view})`
  return rows.length > 0
}

/** Deletes the cards of these messages, with their photos. */
export const deleteCards = async (db: Db, messageHashes: Buffer[]): Promise<void> => {
  await db`
    with gone as (
      delete from collision_cards where message_hash = any(${messageHashes}::bytea[]) returning id
    )
    delete from collision_photos p using gone where p.card_id = gone.id`
}

/** Claims some of the deletions of cards, and returns the messages they are about. */
export const claimCardDeletions = async (tx: Db, limit: number): Promise<string[]> => {
  const rows = await tx<{ message_id: string }[]>`
    delete from collisions_to_forget where message_id = any(array(
      select message_id from collisions_to_forget limit ${limit} for update skip locked))
    returning message_id`
  return rows.map(({ message_id }) => message_id)
}

/** Deletes cards at the end of their period, and photos whose card never came. Several processes may do so at the same time. */
export const deleteOldCards = async (db: Db): Promise<void> => {
  await db`
    with gone as (
      delete from collision_cards where created_on < (now() - ${RETENTION.collisionCards}::interval)::date returning id
    )
    delete from collision_photos p using gone where p.card_id = gone.id`
  await db`
    delete from collision_photos p
    where p.created_on < current_date - 1 and not exists (select from collision_cards c where c.id = p.card_id)`
}
