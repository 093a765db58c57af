import type { AppContext } from '../context.ts'
import { refuse } from '../refusal.ts'
import { deleteDriver, findMembership } from './queries.ts'

/**
 * Removes a driver: the owner anybody, a driver themselves (decision 0098). Nobody is notified, and nothing about it is
 * stored. What they could read and hear of the vehicle ends with the commit.
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
  const removed = (await deleteDriver(db, vehicleId, personId)) ?? refuse('not_found')
  live.publish([removed]) // their open pages count what they can still read
}
