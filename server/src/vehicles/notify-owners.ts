import type { AppContext } from '../context.ts'
import type { Db } from '../db/pool.ts'
import type { Effect } from '../disputes/state-machine.ts'
import { queueMail } from '../email/outbox.ts'
import { notify } from '../notifications/notify.ts'
import type { VehicleRecord } from './queries.ts'

/** What a decision about a vehicle needs. */
export type DecisionContext = Pick<AppContext, 'db' | 'keyring' | 'outbox'> & {
  live: Pick<AppContext['live'], 'publish'>
}

/** What a decision did to a vehicle, for its owner. */
type OwnerNotice = { vehicle: Pick<VehicleRecord, 'id' | 'user_id' | 'plate' | 'province'>; effect: Effect }

/**
 * Notifies owners of a decision, in its transaction and before it deletes vehicles: a send also locks the owner's
 * notifications first and the vehicle last. Each owner reads about their own vehicle only, with the plate as they wrote
 * it. After the commit, call `announceDecision` with the users this returns.
 *
 * @param decisionId each decision has its own emails, also the second of a kind about one vehicle
 */
export async function notifyOwners(tx: Db, decisionId: string, notices: OwnerNotice[]): Promise<string[]> {
  const notifications = notices.flatMap(({ vehicle: { id, user_id, plate }, effect }) =>
    effect.notification ? [{ userId: user_id, type: effect.notification, data: { plate, vehicle_id: id } }] : [],
  )
  await notify(tx, notifications)
  for (const { vehicle, effect } of notices) {
    if (!effect.mail) continue
    // a deleted vehicle cannot be read any more when the email is rendered
    const { id, plate, province } = vehicle
    const data: Record<string, string> =
      effect.vehicle === 'deleted'
        ? { plate, province }
        : { vehicle_id: id, ...(effect.automatic && { decided_by: 'clock' }) }
    await queueMail(tx, { kind: effect.mail, refId: decisionId, recipientId: vehicle.user_id, data })
  }
  return notifications.map(({ userId }) => userId)
}

/**
 * Sends what `notifyOwners` queued: wakes the outbox and the open pages of the notified users. Call it after the
 * commit.
 */
export function announceDecision({ live, outbox }: DecisionContext, notifiedUserIds: string[]): void {
  live.publish(notifiedUserIds)
  outbox.wake()
}
