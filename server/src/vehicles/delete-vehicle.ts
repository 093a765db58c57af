import { recordPlateAction } from '../audit/record-action.ts'
import type { AppContext } from '../context.ts'
import { inTransaction } from '../db/transaction.ts'
import { TRANSITIONS } from '../disputes/state-machine.ts'
import { refuse } from '../refusal.ts'
import { type Decider, lockToDecide } from './lock-to-decide.ts'
import { announceDecision, type DecisionContext, notifyOwners } from './notify-owners.ts'
import { deleteVehicles, findOwnVehicle } from './queries.ts'
import { withdrawFromDisputes } from './withdraw-from-disputes.ts'

/** Deletes a person's own vehicle, and settles its dispute without it (decision plate-disputes). */
export async function deleteVehicle(
  { db, outbox }: Pick<AppContext, 'db' | 'outbox'>,
  ownerId: string,
  vehicleId: string,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    // checked before anything is locked or settled for somebody else's vehicle
    if (!(await findOwnVehicle(tx, vehicleId, ownerId))) refuse('not_found')
    await withdrawFromDisputes(tx, [vehicleId])
    // of two concurrent requests the second finds nothing
    if ((await deleteVehicles(tx, [vehicleId])) === 0) refuse('not_found')
  })
  outbox.wake()
}

/**
 * Deletes a vehicle for an admin (requirements §4), and settles its dispute without it.
 * Its owner gets a notification and no email. Returns after the commit. Refuses as `lockToDecide` does.
 */
export async function deleteVehicleAsAdmin(context: DecisionContext, admin: Decider, vehicleId: string): Promise<void> {
  const { db, keyring } = context
  const { itself, audit } = TRANSITIONS.deletion_by_admin
  const notifiedUserIds = await inTransaction(db, async (tx) => {
    const { vehicle } = await lockToDecide(tx, admin, 'deletion_by_admin', vehicleId)
    const decisionId = await recordPlateAction(tx, keyring, vehicle, { actor: admin, action: audit })
    await withdrawFromDisputes(tx, [vehicle.id])
    const notifiedUserIds = await notifyOwners(tx, decisionId, [{ vehicle, effect: itself }])
    await deleteVehicles(tx, [vehicle.id])
    return notifiedUserIds
  })
  announceDecision(context, notifiedUserIds)
}
