import type { MessageView } from '#contract/messages.ts'
import { newId } from '../db/ids.ts'
import { MAX_UUID } from '../db/pagination.ts'
import type { Db } from '../db/pool.ts'

type NewBlock = {
  userId: string
  /** The user as a driver of the vehicle that the message came to; null: its owner, or the sender. */
  driverId: string | null
  /** Whom it keeps the person from: the account of the user, or the vehicle that they drive. */
  receiverId: string
  messageId: string
  plate: string
  messageInsertedAt: string
  view: MessageView
  /** What the hash of the block is made of (`getBlockSecret`); null: nothing is known of the person any more. */
  blockSecret: Buffer | null
  /** The same of a guest's network (decision windshield-tag); null for everybody with an account. */
  networkSecret: Buffer | null
}

/** Stores a block, once for each message. */
export const insertBlock = async (db: Db, block: NewBlock): Promise<void> => {
  await db`
    insert into blocks (id, user_id, driver_id, message_id, plate, message_inserted_at, view, blocked_hash,
      blocked_network_hash)
    values (${newId()}, ${block.userId}, ${block.driverId}, ${block.messageId}, ${block.plate}, ${block.messageInsertedAt}, ${block.view},
      blocked_hash(${block.blockSecret}::bytea, ${block.receiverId}::uuid, ${block.view}::text),
      blocked_hash(${block.networkSecret}::bytea, ${block.receiverId}::uuid, ${block.view}::text))
    on conflict (user_id, message_id) do nothing`
}

type BlockRow = {
  id: string
  plate: string
  message_inserted_at: string
  created_at: string
  view: MessageView
  by_driver: boolean
}

/** Selects the blocks that a user may end: their own, and those of the drivers of their vehicles. */
const isOwn = (db: Db, userId: string) => db`(
  user_id = ${userId} or driver_id in (
    select p.id from vehicles v join vehicle_drivers p on p.vehicle_id = v.id where v.user_id = ${userId}))`

/** Lists a user's blocks and those of the drivers of their vehicles, latest first. */
export const listBlocks = (db: Db, userId: string, before: string | null, limit: number) =>
  db<BlockRow[]>`
    select id, plate, message_inserted_at, created_at, view, user_id <> ${userId} as by_driver from blocks
    where ${isOwn(db, userId)} and id < coalesce(${before}, ${MAX_UUID})::uuid
    order by id desc
    limit ${limit}`

/** Deletes a block. Returns false when this user has no such block. */
export const deleteBlock = async (db: Db, id: string, userId: string): Promise<boolean> => {
  const { count } = await db`delete from blocks where id = ${id} and ${isOwn(db, userId)}`
  return count === 1
}
