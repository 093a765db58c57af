import { type AuditActor, plateSubject, recordAction } from '../audit/record-action.ts'
import { inTransaction } from '../db/transaction.ts'
import { MOVES } from '../disputes/machine.ts'
import type { Parts } from '../parts.ts'
import { refuse } from '../refusal.ts'
import { endDisputesOf } from './end-disputes.ts'
import { deleteOwnVehicle, deleteVehicles, isOwnVehicle, lockVehicle } from './queries.ts'
import { tellOwners } from './tell-owners.ts'

/** Removes an own vehicle with the messages it received; a dispute it is a side of ends (design decision 4). */
export async function deleteVehicle(
  { db, outbox }: Pick<Parts, 'db' | 'outbox'>,
  ownerId: string,
  vehicleId: string,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    // before anything is locked or settled for somebody else's vehicle
    if (!(await isOwnVehicle(tx, vehicleId, ownerId))) refuse('not_found')
    await endDisputesOf(tx, [vehicleId])
    // two may delete it at once: whoever comes second finds nothing
    if (!(await deleteOwnVehicle(tx, vehicleId, ownerId))) refuse('not_found')
  })
  outbox.wake()
}

/**
 * An admin removes a vehicle with the messages it received (spec §4); a dispute it is a side of is settled without it.
 * Its owner gets a notification and no mail. Answers after the commit. Refuses with `not_found`.
 */
export async function deleteVehicleAsAdmin(
  { db, keyring, live, outbox }: Pick<Parts, 'db' | 'keyring' | 'live' | 'outbox'>,
  admin: NonNullable<AuditActor>,
  vehicleId: string,
): Promise<void> {
  const { itself, audit } = MOVES.deletion_by_admin
  const told = await inTransaction(db, async (tx) => {
    const vehicle = (await lockVehicle(tx, vehicleId)) ?? refuse('not_found')
    const done = { actor: admin, action: audit, subject: plateSubject(vehicle), subjectId: vehicle.id }
    const decisionId = await recordAction(tx, keyring, done)
    await endDisputesOf(tx, [vehicle.id])
    const told = await tellOwners(tx, decisionId, [{ vehicle, fate: itself }])
    await deleteVehicles(tx, [vehicle.id])
    return told
  })
  live.publish(told)
  outbox.wake()
}
