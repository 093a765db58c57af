import type { Db, Fragment } from '../db/pool.ts'

/** What blocks of the sender of a message are found by. */
export type BlockableSender = {
  /** Of the person, or of a guest's device (`getBlockSecret`); null: nothing is known of the sender. */
  blockSecret: Buffer | null
  /** The same of a guest's network (decision windshield-tag); null for everybody with an account. */
  networkSecret: Buffer | null
  /** Whether the message cannot wait (`URGENT_REASONS`). */
  isUrgent: boolean
}

/** How long a block also holds for other devices of the network: a network has more than one person in it. */
const NETWORK_BLOCK_PERIOD = '30 days'

/**
 * Selects whether the owner of a vehicle or one of its drivers has blocked the sender of a message: the one for all of their vehicles,
 * the other for this one (decision blocking-people). A network that is blocked does not keep back what cannot wait:
 * it may be anybody's. A send of an account, which writes nothing before it knows all, asks in its own statement (send-statement.ts).
 */
export const isBlockedExpression = (
  db: Db,
  { ownerId, vehicleId }: { ownerId: Fragment; vehicleId: Fragment },
  { blockSecret, networkSecret, isUrgent }: BlockableSender,
) => db`
  exists (
    select from (values (${ownerId}), (${vehicleId})) receiver (id)
    join blocks b on b.blocked_hash = blocked_hash(${blockSecret}::bytea, receiver.id, 'received')
      or (b.blocked_network_hash = blocked_hash(${networkSecret}::bytea, receiver.id, 'received')
        and not ${isUrgent}::boolean and b.created_at > now() - ${NETWORK_BLOCK_PERIOD}::interval)
  )`
