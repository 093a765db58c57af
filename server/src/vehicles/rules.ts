import type { Vehicle } from '#contract/vehicles.ts'
import type { Dispute, IncumbentStatus } from '../disputes/queries.ts'
import type { Holder, VehicleRow } from './queries.ts'

/** Limits of design §6, before LIMIT_SCALE. */
export const REGISTRATIONS_A_DAY = 10
export const HELD_VEHICLES_MAX = 20

/** Whom a new registration of a plate stands against; null when the plate is free. */
export type Incumbent = { vehicleId: string; ownerId: string; status: IncumbentStatus; disputed: boolean } | null

/**
 * Finds whom a registration stands against (spec §4, design decisions 3 to 5).
 *
 * @param holders other people's vehicles with the plate: live ones first, then the oldest
 * @param disputes the plate's open challenges
 */
export function incumbentOf(holders: Holder[], disputes: Dispute[]): Incumbent {
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

/** A row as its owner sees it. */
export const showVehicle = ({ documents_due_at, role, ...vehicle }: VehicleRow): Vehicle => ({
  ...vehicle,
  dispute: documents_due_at === null || role === null ? null : { documents_due_at, role },
})
