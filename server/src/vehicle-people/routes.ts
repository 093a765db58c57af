import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/vehicle-people.ts'
import type { AppContext } from '../context.ts'
import type { Db } from '../db/pool.ts'
import { inTransaction } from '../db/transaction.ts'
import { shownAddress } from '../email/shown-address.ts'
import { userRoute } from '../http/route.ts'
import { requestLocale } from '../locale.ts'
import { refuse } from '../refusal.ts'
import { deleteInvitation, deleteVehicleInvitations, listInvitations } from './invitation-queries.ts'
import { acceptInvitation, inviteDriver } from './invitations.ts'
import { deleteDriver, findMembership, listPeople, lockVehicle } from './queries.ts'

/**
 * Removes a driver: the owner anybody, a driver themselves (decision vehicle-people). Nobody is notified, and nothing about it is
 * stored. What they could read and hear of the vehicle ends with the commit. When the owner removes somebody, the open
 * invitations to the vehicle end too: that person may have kept one.
 *
 * Refuses with `not_found`, `forbidden`, `owner_stays`.
 */
async function removePerson(
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

/**
 * Lists everybody of a vehicle for one of them; the owner also sees the open invitations.
 *
 * Refuses with `not_found`.
 */
async function listVehiclePeople(db: Db, vehicleId: string, userId: string): Promise<contract.VehiclePeople> {
  const { role } = (await findMembership(db, vehicleId, userId)) ?? refuse('not_found')
  const people = await listPeople(db, vehicleId)
  return {
    items: people.map(({ user_id, email, ...person }) => {
      const is_me = user_id === userId
      return { ...person, is_me, email: is_me ? shownAddress(email) : email }
    }),
    invitations: role === 'owner' ? await listInvitations(db, vehicleId) : [],
  }
}

/** Registers the routes of the people of a vehicle (decision vehicle-people). */
export function vehiclePeopleRoutes(app: FastifyInstance, context: AppContext) {
  const { db } = context

  userRoute(app, contract.listVehiclePeople, ({ id }, actor) => listVehiclePeople(db, id, actor.id))
  userRoute(app, contract.removeVehiclePerson, ({ id, personId }, actor) =>
    removePerson(context, actor.id, { vehicleId: id, personId }),
  )
  userRoute(app, contract.inviteDriver, ({ id, email }, owner, { request }) =>
    inviteDriver(context, owner, id, { email, locale: requestLocale(request) }),
  )
  userRoute(app, contract.revokeInvitation, async ({ id }, owner) => {
    if (!(await deleteInvitation(db, id, owner.id))) refuse('not_found')
  })
  userRoute(app, contract.acceptInvitation, ({ code }, person) => acceptInvitation(context, person, code))
}
