import type { MessageView } from '#contract/messages.ts'
import { newId } from '../db/ids.ts'
import { MAX_UUID } from '../db/pagination.ts'
import type { Db } from '../db/pool.ts'

type NewBlock = {
  userId: string
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
    insert into blocks (id, user_id, message_id, plate, message_inserted_at, view, blocked_hash,
      blocked_network_hash)
    values (${newId()}, ${block.userId}, ${block.messageId}, ${block.plate}, ${block.messageInsertedAt}, ${block.view},
      blocked_hash(${block.blockSecret}::bytea, ${block.userId}::uuid, ${block.view}::text),
      blocked_hash(${block.networkSecret}::bytea, ${block.userId}::uuid, ${block.view}::text))
    on conflict (user_id, message_id) do nothing`
}

type BlockRow = {
  id: string
  plate: string
  message_inserted_at: string
  created_at: string
  view: MessageView
}

/** Lists a user's blocks, latest first. */
export const listBlocks = (db: Db, userId: string, before: string | null, limit: number) =>
  db<BlockRow[]>`
    select id, plate, message_inserted_at, created_at, view from blocks
    where user_id = ${userId} and id < coalesce(${before}, ${MAX_UUID})::uuid
    order by id desc
    limit ${limit}`

/** Deletes a block. Returns false when this user has no such block. */
export const deleteBlock = async (db: Db, id: string, userId: string): Promise<boolean> => {
  const { count } = await db`delete from blocks where id = ${id} and user_id = ${userId}`
  return count === 1
}
