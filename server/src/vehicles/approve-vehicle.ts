import { vehicleCan } from '#contract/vehicles.ts'
import { recordPlateAction } from '../audit/record-action.ts'
import { inTransaction } from '../db/transaction.ts'
import { deleteDisputes } from '../disputes/queries.ts'
import { TRANSITIONS } from '../disputes/state-machine.ts'
import { refuse } from '../refusal.ts'
import { type Decider, lockToDecide } from './lock-to-decide.ts'
import { announceDecision, type DecisionContext, notifyOwners } from './notify-owners.ts'
import { deleteVehicles, findVehiclesByPlate, lockMessagesWithMails, setVehicleStatus } from './queries.ts'
import { findPeersToDelete } from './rules.ts'

const { itself, others, audit } = TRANSITIONS.approval

/**
 * Makes a vehicle the verified one of its plate, for an admin (requirements §4, decision plate-disputes): every dispute of the
 * plate ends, vehicles that wait for the plate are deleted, and so is a verified one that this vehicle challenged.
 * Rejected ones stay. Owners are informed by notification and email. Returns after the commit.
 *
 * Refuses as `lockToDecide` does, with `already_verified`, and `plate_is_live` when a vehicle that this one does not challenge is
 * live.
 */
export async function approveVehicle(context: DecisionContext, admin: Decider, vehicleId: string): Promise<void> {
  const { db, keyring } = context
  const notifiedUserIds = await inTransaction(db, async (tx) => {
    const { vehicle, disputes } = await lockToDecide(tx, admin, 'approval', vehicleId)
    if (!vehicleCan('approve', vehicle)) refuse('already_verified')
    const { province, plate_key } = vehicle
    const peers =
      findPeersToDelete(vehicle, await findVehiclesByPlate(tx, province, plate_key), disputes) ??
      refuse('plate_is_live')
    const peerIds = peers.map(({ id }) => id)

    const decisionId = await recordPlateAction(tx, keyring, vehicle, { actor: admin, action: audit })
    await deleteDisputes(
      tx,
      disputes.map(({ id }) => id),
    )
    await lockMessagesWithMails(tx, peerIds)
    const notifiedUserIds = await notifyOwners(tx, decisionId, [
      ...peers.map((peer) => ({ vehicle: peer, effect: others })),
      { vehicle, effect: itself },
    ])
    // deleted first: a plate never has two live vehicles, not even within a transaction
    await deleteVehicles(tx, peerIds)
    await setVehicleStatus(tx, [vehicle.id], itself.vehicle)
    return notifiedUserIds
  })
  announceDecision(context, notifiedUserIds)
}
