import { plateKey } from '#contract/plates.ts'
import type { Vehicle } from '#contract/vehicles.ts'

/** Whether its owner reads this vehicle as rejected, which is every status but three (requirements §4). */
export const isRejected = ({ status }: Pick<Vehicle, 'status'>): boolean =>
  status !== 'verified' && status !== 'active' && status !== 'pending_verification'

/** Whether an own vehicle's plate is free to be registered again: no other card has it. */
export const canRegisterAgain = (vehicle: Vehicle, own: readonly Vehicle[]): boolean =>
  isRejected(vehicle) &&
  !own.some(
    (other) =>
      !isRejected(other) && other.province === vehicle.province && plateKey(other.plate) === plateKey(vehicle.plate),
  )
