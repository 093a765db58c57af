import { vehicleCan } from '#contract/vehicles.ts'
import { type AuditActor, recordPlateAction } from '../audit/record-action.ts'
import { inTransaction } from '../db/transaction.ts'
import { deleteDisputes, findDisputesByPlate } from '../disputes/queries.ts'
import { TRANSITIONS } from '../disputes/state-machine.ts'
import { refuse } from '../refusal.ts'
import { announceDecision, type DecisionContext, notifyOwners } from './notify-owners.ts'
import { deleteVehicles, findVehiclesByPlate, lockVehicle, lockVehicleMessages, setVehicleStatus } from './queries.ts'
import { findPeersToDelete } from './rules.ts'

const { itself, others, audit } = TRANSITIONS.approval

/**
 * Makes a vehicle the verified one of its plate, for an admin (requirements §4, decision plate-disputes): every dispute of the
 * plate ends, vehicles that wait for the plate are deleted, and so is a verified one that this vehicle challenged.
 * Rejected ones stay. Owners are informed by notification and email. Returns after the commit.
 *
 * @param assertMayOverrule throws when this admin may not take the plate from the side that had it first; called only then
 *
 * Refuses with `not_found`, `already_verified`, and `plate_is_live` when a vehicle that this one does not challenge is
 * live.
 */
export async function approveVehicle(
  context: DecisionContext,
  admin: NonNullable<AuditActor>,
  vehicleId: string,
  assertMayOverrule: () => void = () => {},
): Promise<{ deletedPeers: number }> {
  const { db, keyring } = context
  const { peers, notifiedUserIds } = await inTransaction(db, async (tx) => {
    const vehicle = (await lockVehicle(tx, vehicleId)) ?? refuse('not_found')
    if (!vehicleCan('approve', vehicle)) refuse('already_verified')
    const { province, plate_key } = vehicle
    const disputes = await findDisputesByPlate(tx, province, plate_key)
    const peers =
      findPeersToDelete(vehicle, await findVehiclesByPlate(tx, province, plate_key), disputes) ??
      refuse('plate_is_live')
    if (disputes.some(({ challenger_vehicle_id }) => challenger_vehicle_id === vehicle.id)) assertMayOverrule()
    const peerIds = peers.map(({ id }) => id)

    const decisionId = await recordPlateAction(tx, keyring, vehicle, { actor: admin, action: audit })
    await deleteDisputes(
      tx,
      disputes.map(({ id }) => id),
    )
    await lockVehicleMessages(tx, peerIds)
    const notifiedUserIds = await notifyOwners(tx, decisionId, [
      ...peers.map((peer) => ({ vehicle: peer, effect: others })),
      { vehicle, effect: itself },
    ])
    // deleted first: a plate never has two live vehicles, not even within a transaction
    await deleteVehicles(tx, peerIds)
    await setVehicleStatus(tx, [vehicle.id], itself.vehicle)
    return { peers, notifiedUserIds }
  })
  announceDecision(context, notifiedUserIds)
  return { deletedPeers: peers.length }
}
