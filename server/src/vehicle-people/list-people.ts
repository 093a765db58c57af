import type { VehiclePeople } from '#contract/vehicle-people.ts'
import type { Db } from '../db/pool.ts'
import { shownAddress } from '../email/shown-address.ts'
import { refuse } from '../refusal.ts'
import { listInvitations } from './invitation-queries.ts'
import { findMembership, listPeople } from './queries.ts'

/**
 * Lists everybody of a vehicle for one of them; the owner also sees the open invitations.
 *
 * Refuses with `not_found`.
 */
export async function listVehiclePeople(db: Db, vehicleId: string, userId: string): Promise<VehiclePeople> {
  const { role } = (await findMembership(db, vehicleId, userId)) ?? refuse('not_found')
  const people = await listPeople(db, vehicleId)
  return {
    items: people.map(({ user_id, until: _, email, ...person }) => {
      const is_me = user_id === userId
      return { ...person, is_me, email: is_me ? shownAddress(email) : email }
    }),
    holder_until: people.find(({ has_car }) => has_car)?.until ?? null,
    invitations: role === 'owner' ? await listInvitations(db, vehicleId) : [],
  }
}
