import { vehicleCan } from '#contract/vehicles.ts'
import { recordPlateAction } from '../audit/record-action.ts'
import type { Db } from '../db/pool.ts'
import { inTransaction } from '../db/transaction.ts'
import { type Effect, TRANSITIONS } from '../disputes/state-machine.ts'
import { type AssociatedData, decryptText, encryptText, type Keyring } from '../encryption/envelope-encryption.ts'
import { refuse } from '../refusal.ts'
import { type Decider, lockToDecide } from './lock-to-decide.ts'
import { announceDecision, type DecisionContext, notifyOwners } from './notify-owners.ts'
import { setVehicleStatus, type VehicleRecord } from './queries.ts'
import { withdrawFromDisputes } from './withdraw-from-disputes.ts'

/** What the reason is bound to, encrypted as everything people write (decision encryption-at-rest). */
const associatedData = (vehicleId: string): AssociatedData => ({
  table: 'vehicles',
  column: 'reject_reason',
  id: vehicleId,
})

/**
 * Decrypts why a vehicle is rejected. Throws a `DecryptionError`: an email without its reason is better retried than
 * sent.
 */
export const decryptRejectReason = (keyring: Keyring, vehicleId: string, encrypted: Buffer): string =>
  decryptText(keyring, associatedData(vehicleId), encrypted)

/**
 * Rejects a vehicle, for an admin (requirements §4), and settles its dispute without it (decision plate-disputes). Its owner gets
 * the reason by email, and may register the plate again. Returns after the commit.
 *
 * Refuses as `lockToDecide` does, and with `already_rejected`.
 *
 * @param reason shown to the owner as the admin wrote it
 */
export async function rejectVehicle(
  context: DecisionContext,
  admin: Decider,
  vehicleId: string,
  reason: string,
): Promise<void> {
  const { db, keyring } = context
  const { itself, audit } = TRANSITIONS.rejection
  const notifiedUserIds = await inTransaction(db, async (tx) => {
    const { vehicle } = await lockToDecide(tx, admin, 'rejection', vehicleId)
    if (!vehicleCan('reject', vehicle)) refuse('already_rejected')
    const decisionId = await recordPlateAction(tx, keyring, vehicle, { actor: admin, action: audit, reason })
    return rejectLockedVehicle(tx, keyring, vehicle, { decisionId, reason, effect: itself })
  })
  announceDecision(context, notifiedUserIds)
}

type Rejection = { decisionId: string; reason: string; effect: Effect }

/**
 * Rejects a vehicle whose plate the caller has locked: settles its dispute without it and notifies its owner.
 *
 * @returns the users to announce the decision to after the commit
 */
export async function rejectLockedVehicle(
  tx: Db,
  keyring: Keyring,
  vehicle: VehicleRecord,
  { decisionId, reason, effect }: Rejection,
): Promise<string[]> {
  await withdrawFromDisputes(tx, [vehicle.id])
  await setVehicleStatus(tx, [vehicle.id], 'rejected', encryptText(keyring, associatedData(vehicle.id), reason))
  return notifyOwners(tx, decisionId, [{ vehicle, effect }])
}
