import type { BrowserPushSubscription } from '#contract/push.ts'
import { lockUser } from '../auth/user-queries.ts'
import type { Pool } from '../db/pool.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Actor } from '../http/actor.ts'
import { refuse } from '../refusal.ts'
import { deleteOldestSubscriptions, lockSession, replaceEndpoint, upsertSubscription } from './subscription-queries.ts'

/** Whose device it is, and the session in its browser. */
export type DeviceActor = Pick<Actor, 'id' | 'sessionId'>

/**
 * Notifies this device from now on. A browser has one address, so a user who signed in there before is no longer
 * notified there. A device beyond the limit replaces the user's oldest one.
 *
 * @param maxSubscriptions the limit of devices of a user, already scaled
 * @throws Refusal `session_ended` when the session ends at this moment
 */
export const savePushSubscription = (
  db: Pool,
  { id, sessionId }: DeviceActor,
  subscription: BrowserPushSubscription,
  maxSubscriptions: number,
): Promise<void> =>
  inTransaction(db, async (tx) => {
    await lockUser(tx, id) // so that two devices of a user that are added at once are both counted
    if (!(await lockSession(tx, sessionId, id))) refuse('session_ended')
    await replaceEndpoint(tx, sessionId, id, subscription)
    await upsertSubscription(tx, sessionId, id, subscription)
    await deleteOldestSubscriptions(tx, sessionId, id, maxSubscriptions)
  })
