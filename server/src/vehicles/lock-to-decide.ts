import type { AuditActor } from '../audit/record-action.ts'
import type { Db } from '../db/pool.ts'
import { type Dispute, findDisputesByPlate } from '../disputes/queries.ts'
import { type FactorState, requireFreshFactor } from '../http/actor.ts'
import { refuse } from '../refusal.ts'
import { peopleOfPlate, refuseOwnCase } from '../subjects/own-case.ts'
import { lockVehicle, type VehicleRecord } from './queries.ts'
import { type Decision, takesPlate } from './rules.ts'

/** Who decides about a vehicle: an admin, or null, the admin command. */
export type Decider = (NonNullable<AuditActor> & FactorState) | null

/**
 * Locks the vehicle that somebody decides about, and returns it with the open challenges of its plate. Refuses with `not_found`, with
 * `own_case` an admin who is one of the plate's people, and with `fresh_factor_required` whatever cannot be undone: a deletion, and what takes a plate from the vehicle that has it.
 */
export async function lockToDecide(
  tx: Db,
  by: Decider,
  decision: Decision,
  vehicleId: string,
): Promise<{ vehicle: VehicleRecord; disputes: Dispute[] }> {
  const vehicle = (await lockVehicle(tx, vehicleId)) ?? refuse('not_found')
  await refuseOwnCase(tx, by, peopleOfPlate(tx, vehicle))
  const disputes = await findDisputesByPlate(tx, vehicle.province, vehicle.plate_key)
  if (by && (decision === 'deletion_by_admin' || takesPlate(decision, vehicle, disputes))) requireFreshFactor(by)
  return { vehicle, disputes }
}
