import { type Vehicle, vehicleCan } from '#contract/vehicles.ts'
import type { Dispute, IncumbentStatus } from '../disputes/queries.ts'
import type { PlateHolder, VehicleRow } from './queries.ts'

/** Whom a new registration of a plate stands against; null when the plate is free. */
export type Incumbent = { vehicleId: string; ownerId: string; status: IncumbentStatus; disputed: boolean } | null

/**
 * Finds whom a registration stands against (requirements §4, decisions 0048 to 0050).
 *
 * @param holders other people's vehicles with the plate: live ones first, then the oldest
 * @param disputes the plate's open challenges
 */
export function findIncumbent(holders: PlateHolder[], disputes: Dispute[]): Incumbent {
  const [dispute] = disputes
  const holder = holders.find(({ id }) => id === dispute?.incumbent_vehicle_id) ?? holders[0]
  if (!holder) return null
  return {
    vehicleId: holder.id,
    ownerId: holder.user_id,
    // one that waits for verification outside any dispute would have become active
    status: dispute?.incumbent_status ?? (holder.status === 'pending_verification' ? 'active' : holder.status),
    disputed: dispute !== undefined,
  }
}

/**
 * The vehicles that lose the plate when this one is approved (requirements §4, decision 0050): all that wait for it, and
 * the verified one that this one challenges. Null when another live vehicle stands in the way.
 *
 * @param holders all vehicles that have the plate or wait for it
 * @param disputes the plate's open challenges
 */
export function findPeersToDelete(
  { id }: { id: string },
  holders: PlateHolder[],
  disputes: Dispute[],
): PlateHolder[] | null {
  const others = holders.filter((holder) => holder.id !== id)
  const challenged = disputes.find((dispute) => dispute.challenger_vehicle_id === id)?.incumbent_vehicle_id
  const peers = others.filter((other) => other.status === 'pending_verification' || other.id === challenged)
  return others.some((other) => vehicleCan('receiveMessage', other) && !peers.includes(other)) ? null : peers
}

/** A row as its owner sees it. */
export const toVehicle = ({ documents_due_at, role, ...vehicle }: VehicleRow): Vehicle => ({
  ...vehicle,
  dispute: documents_due_at === null || role === null ? null : { documents_due_at, role },
})
