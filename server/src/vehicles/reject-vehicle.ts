import { vehicleCan } from '#contract/vehicles.ts'
import { type AuditActor, plateSubject, recordAction } from '../audit/record-action.ts'
import type { Db } from '../db/pool.ts'
import { inTransaction } from '../db/transaction.ts'
import { type Fate, MOVES } from '../disputes/machine.ts'
import type { Parts } from '../parts.ts'
import { refuse } from '../refusal.ts'
import type { Keyring } from '../sealing/seal.ts'
import { endDisputesOf } from './end-disputes.ts'
import { type KnownVehicle, lockVehicle, setRejected } from './queries.ts'
import { sealRejectReason } from './reject-reason.ts'
import { tellOwners } from './tell-owners.ts'

/**
 * An admin rejects a vehicle (spec §4); a dispute it is a side of is settled without it (design decision 4). Its owner
 * is told the reason by mail, and may register the plate again. Answers after the commit.
 *
 * Refuses with `not_found`, `already_rejected`.
 *
 * @param reason what the owner reads, as the admin wrote it
 */
export async function rejectVehicle(
  { db, keyring, live, outbox }: Pick<Parts, 'db' | 'keyring' | 'live' | 'outbox'>,
  admin: NonNullable<AuditActor>,
  vehicleId: string,
  reason: string,
): Promise<void> {
  const { itself, audit } = MOVES.rejection
  const told = await inTransaction(db, async (tx) => {
    const vehicle = (await lockVehicle(tx, vehicleId)) ?? refuse('not_found')
    if (!vehicleCan('reject', vehicle)) refuse('already_rejected')
    const done = { actor: admin, action: audit, subject: plateSubject(vehicle), subjectId: vehicle.id, reason }
    const decisionId = await recordAction(tx, keyring, done)
    return rejectLocked(tx, keyring, vehicle, { decisionId, reason, fate: itself })
  })
  live.publish(told)
  outbox.wake()
}

type Rejection = { decisionId: string; reason: string; fate: Fate }

/**
 * Rejects a vehicle whose plate the caller has locked: settles its dispute without it and tells its owner.
 *
 * @returns whose streams to wake after the commit
 */
export async function rejectLocked(
  tx: Db,
  keyring: Keyring,
  vehicle: KnownVehicle,
  { decisionId, reason, fate }: Rejection,
): Promise<string[]> {
  await endDisputesOf(tx, [vehicle.id])
  await setRejected(tx, vehicle.id, sealRejectReason(keyring, vehicle.id, reason))
  return tellOwners(tx, decisionId, [{ vehicle, fate }])
}
