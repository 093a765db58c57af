import type { AppContext } from '../context.ts'
import { inTransaction } from '../db/transaction.ts'
import { refuse } from '../refusal.ts'
import { deleteVehicleInvitations } from './invitation-queries.ts'
import { deleteDriver, findMembership, lockVehicle } from './queries.ts'

/**
 * Removes a driver: the owner anybody, a driver themselves (decision vehicle-people). Nobody is notified, and nothing about it is
 * stored. What they could read and hear of the vehicle ends with the commit. When the owner removes somebody, the open
 * invitations to the vehicle end too: that person may have kept one.
 *
 * Refuses with `not_found`, `forbidden`, `owner_stays`.
 */
export async function removePerson(
  { db, live }: Pick<AppContext, 'db' | 'live'>,
  userId: string,
  { vehicleId, personId }: { vehicleId: string; personId: string },
): Promise<void> {
  const { role, driver_id } = (await findMembership(db, vehicleId, userId)) ?? refuse('not_found')
  if (role === 'driver' && personId !== driver_id) refuse('forbidden')
  if (personId === vehicleId) refuse('owner_stays')
  const removed = await inTransaction(db, async (tx) => {
    // first, as accepting an invitation does: neither of the two waits for the other's rows
    if (role === 'owner') await lockVehicle(tx, vehicleId)
    const driver = (await deleteDriver(tx, vehicleId, personId)) ?? refuse('not_found')
    if (role === 'owner') await deleteVehicleInvitations(tx, vehicleId)
    return driver
  })
  live.publish([removed]) // their open pages count what they can still read
}
