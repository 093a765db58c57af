import { vehicleCan } from '#contract/vehicles.ts'
import { type AuditActor, plateSubject, recordAction } from '../audit/record-action.ts'
import { inTransaction } from '../db/transaction.ts'
import { MOVES } from '../disputes/machine.ts'
import { deleteDisputes, disputesOnPlate } from '../disputes/queries.ts'
import type { Parts } from '../parts.ts'
import { refuse } from '../refusal.ts'
import { deleteVehicles, holdersOfPlate, holdMessagesOf, lockVehicle, setVehicleStatus } from './queries.ts'
import { peersOf } from './rules.ts'
import { tellOwners } from './tell-owners.ts'

const { itself, others, audit } = MOVES.approval

/**
 * An admin makes a vehicle the verified one of its plate (spec §4, design decision 5): every dispute of the plate ends,
 * vehicles that wait for the plate are deleted, and so is a verified one that this vehicle challenged. Rejected ones
 * stay. Answers after the commit; owners are told by notification and mail.
 *
 * Refuses with `not_found`, `already_verified`, and `plate_is_live` when a vehicle this one does not challenge is live.
 */
export async function approveVehicle(
  { db, keyring, live, outbox }: Pick<Parts, 'db' | 'keyring' | 'live' | 'outbox'>,
  admin: NonNullable<AuditActor>,
  vehicleId: string,
): Promise<{ deletedPeers: number }> {
  const { peers, told } = await inTransaction(db, async (tx) => {
    const vehicle = (await lockVehicle(tx, vehicleId)) ?? refuse('not_found')
    if (!vehicleCan('approve', vehicle)) refuse('already_verified')
    const { province, plate_key } = vehicle
    const disputes = await disputesOnPlate(tx, province, plate_key)
    const peers = peersOf(vehicle, await holdersOfPlate(tx, province, plate_key), disputes) ?? refuse('plate_is_live')
    const peerIds = peers.map(({ id }) => id)

    const done = { actor: admin, action: audit, subject: plateSubject(vehicle), subjectId: vehicle.id }
    const decisionId = await recordAction(tx, keyring, done)
    await deleteDisputes(
      tx,
      disputes.map(({ id }) => id),
    )
    await holdMessagesOf(tx, peerIds)
    const told = await tellOwners(tx, decisionId, [
      ...peers.map((peer) => ({ vehicle: peer, fate: others })),
      { vehicle, fate: itself },
    ])
    // first of all they let go of the plate: it never has two live vehicles, not even within a transaction
    await deleteVehicles(tx, peerIds)
    await setVehicleStatus(tx, [vehicle.id], itself.vehicle)
    return { peers, told }
  })
  live.publish(told)
  outbox.wake()
  return { deletedPeers: peers.length }
}
