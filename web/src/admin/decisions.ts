import type { AdminDispute, AdminVehicle } from '#contract/admin.ts'
import { plateKey } from '#contract/plates.ts'

/** What names a vehicle and its plate. */
export type DecidedVehicle = Pick<AdminVehicle, 'id' | 'plate' | 'province'>

/** What an admin does to a vehicle (spec §4). */
export type Decision = { vehicle: DecidedVehicle } & (
  | { what: 'approve' }
  | { what: 'reject'; reason: string }
  | { what: 'delete' }
)

type OfPlate = Pick<AdminVehicle, 'plate' | 'province'>

/** Whether two are about one plate, however each wrote it (design decisions 1 and 2). */
export const samePlate = (one: OfPlate, other: OfPlate) =>
  one.province === other.province && plateKey(one.plate) === plateKey(other.plate)

/** The list of vehicles as it will be once the server has taken a decision. */
export function vehiclesAfter(vehicles: AdminVehicle[], { what, vehicle }: Decision): AdminVehicle[] {
  if (what === 'delete') return vehicles.filter(({ id }) => id !== vehicle.id)
  const status = what === 'approve' ? ('verified' as const) : ('rejected' as const)
  const decided = vehicles.map((other) => (other.id === vehicle.id ? { ...other, status, dispute: null } : other))
  if (what === 'reject') return decided
  // the other sides lose their registration, a verified holder too (design decision 5); a rejected one stays
  const loses = (other: AdminVehicle) =>
    other.id !== vehicle.id &&
    samePlate(other, vehicle) &&
    (other.status === 'pending_verification' || other.dispute !== null)
  return decided.filter((other) => !loses(other))
}

/** The open disputes as they will be once the server has taken a decision. */
export const disputesAfter = (disputes: AdminDispute[], { what, vehicle }: Decision): AdminDispute[] =>
  disputes.filter(({ plate, province, incumbent, challenger }) =>
    what === 'approve'
      ? !samePlate({ plate, province }, vehicle)
      : incumbent.vehicle_id !== vehicle.id && challenger.vehicle_id !== vehicle.id,
  )
