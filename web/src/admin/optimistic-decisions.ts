import type { AdminVehicle } from '#contract/admin.ts'
import { plateKey } from '#contract/plates.ts'

/** Identifies a vehicle and its plate. */
export type VehicleRef = Pick<AdminVehicle, 'id' | 'plate' | 'province'>

/** A decision of an admin about a vehicle (requirements §4). */
export type Decision = { vehicle: VehicleRef } & (
  | { action: 'approve' }
  | { action: 'reject'; reason: string }
  | { action: 'delete' }
)

type PlateRef = Pick<AdminVehicle, 'plate' | 'province'>

/** Returns whether both have the same plate, however it is written (decision plate-identity). */
const isSamePlate = (one: PlateRef, other: PlateRef) =>
  one.province === other.province && plateKey(one.plate) === plateKey(other.plate)

/** Returns the vehicles as they will be once the server has applied a decision. */
export function applyDecisionToVehicles(vehicles: AdminVehicle[], { action, vehicle }: Decision): AdminVehicle[] {
  if (action === 'delete') return vehicles.filter(({ id }) => id !== vehicle.id)
  const status = action === 'approve' ? ('verified' as const) : ('rejected' as const)
  const decided = vehicles.map((other) => (other.id === vehicle.id ? { ...other, status, dispute: null } : other))
  if (action === 'reject') return decided
  // the other sides lose their registration, a verified owner too (decision plate-disputes); a rejected vehicle stays
  const losesRegistration = (other: AdminVehicle) =>
    other.id !== vehicle.id &&
    isSamePlate(other, vehicle) &&
    (other.status === 'pending_verification' || other.dispute !== null)
  return decided.filter((other) => !losesRegistration(other))
}
