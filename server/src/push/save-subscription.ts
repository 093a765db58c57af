import type { BrowserPushSubscription } from '#contract/push.ts'
import { lockUser } from '../auth/user-queries.ts'
import type { Pool } from '../db/pool.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Actor } from '../http/actor.ts'
import { refuse } from '../refusal.ts'
import {
  deleteOldestSubscriptions,
  deleteOtherEndpoints,
  lockSession,
  upsertSubscription,
} from './subscription-queries.ts'

/**
 * Tells this device from now on what its person is told. A browser has one address: whoever signed in there before is
 * told nothing there any more. One device more than the limit takes the place of the oldest.
 *
 * @param maxSubscriptions devices of a person, already scaled
 * @throws Refusal `session_ended` when the session ends at this moment
 */
export const savePushSubscription = (
  db: Pool,
  { id, sessionId }: Actor,
  subscription: BrowserPushSubscription,
  maxSubscriptions: number,
): Promise<void> =>
  inTransaction(db, async (tx) => {
    await lockUser(tx, id) // two devices of a person that come at once are counted
    if (!(await lockSession(tx, sessionId, id))) refuse('session_ended')
    await deleteOtherEndpoints(tx, sessionId, subscription.endpoint)
    await upsertSubscription(tx, sessionId, id, subscription)
    await deleteOldestSubscriptions(tx, sessionId, id, maxSubscriptions)
  })
