import { vehicleCan } from '#contract/vehicles.ts'
import type { Dispute, IncumbentStatus } from '../disputes/queries.ts'
import { isWaitingSuccessor } from '../disputes/state-machine.ts'
import type { PlateVehicle, VehicleRecord } from './queries.ts'

/** The vehicle that a new registration of its plate challenges; null when the plate is free. */
export type Incumbent = {
  vehicleId: string
  ownerId: string
  /** As its owner wrote it. */
  plate: string
  /** What it is, or was before its dispute. */
  status: IncumbentStatus
  /** It was a challenger, took the side of an incumbent that left, and waits since. */
  succeeded: boolean
  disputed: boolean
  /** An open challenge pauses it. */
  paused: boolean
  survivedAgoS: number | null
} | null

/**
 * Finds the vehicle that a registration challenges (requirements §4, decision plate-disputes).
 *
 * @param registered other people's vehicles with the plate: live ones first, then the oldest
 * @param disputes the plate's open challenges
 */
export function findIncumbent(registered: PlateVehicle[], disputes: Dispute[]): Incumbent {
  const [dispute] = disputes
  const vehicle = registered.find(({ id }) => id === dispute?.incumbent_vehicle_id) ?? registered[0]
  if (!vehicle) return null
  return {
    vehicleId: vehicle.id,
    ownerId: vehicle.user_id,
    plate: vehicle.plate,
    // one that waits for verification outside any dispute would have become active
    status: dispute?.incumbent_status ?? (vehicle.status === 'pending_verification' ? 'active' : vehicle.status),
    succeeded: isWaitingSuccessor(disputes),
    disputed: dispute !== undefined,
    paused: disputes.some(({ pauses }) => pauses),
    survivedAgoS: vehicle.survived_ago_s,
  }
}

/** What an admin does to a vehicle. */
export type Decision = 'approval' | 'rejection' | 'deletion_by_admin'

/**
 * Returns whether a decision takes the plate from the vehicle that has it, live or paused by a challenge: somebody else has it
 * then, or can have it.
 *
 * @param disputes the plate's open challenges
 */
export function takesPlate(decision: Decision, vehicle: VehicleRecord, disputes: Dispute[]): boolean {
  const holderId = disputes[0]?.incumbent_vehicle_id ?? (vehicleCan('receiveMessage', vehicle) ? vehicle.id : undefined)
  if (decision === 'approval') return holderId !== undefined && holderId !== vehicle.id
  return holderId === vehicle.id
}

/**
 * Finds the vehicles that lose the plate when this one is approved (requirements §4, decision plate-disputes): all that wait for
 * it, and the verified one that this one challenges. Null when another live vehicle prevents the approval.
 *
 * @param registered all vehicles that have the plate or wait for it
 * @param disputes the plate's open challenges
 */
export function findPeersToDelete(
  { id }: { id: string },
  registered: PlateVehicle[],
  disputes: Dispute[],
): PlateVehicle[] | null {
  const others = registered.filter((vehicle) => vehicle.id !== id)
  const challenged = disputes.find((dispute) => dispute.challenger_vehicle_id === id)?.incumbent_vehicle_id
  const peers = others.filter((other) => other.status === 'pending_verification' || other.id === challenged)
  return others.some((other) => vehicleCan('receiveMessage', other) && !peers.includes(other)) ? null : peers
}
