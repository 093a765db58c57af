import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/vehicle-people.ts'
import type { AppContext } from '../context.ts'
import { userRoute } from '../http/route.ts'
import { requestLocale } from '../locale.ts'
import { refuse } from '../refusal.ts'
import { acceptInvitation } from './accept-invitation.ts'
import { deleteInvitation } from './invitation-queries.ts'
import { inviteDriver } from './invite-driver.ts'
import { listVehiclePeople } from './list-people.ts'
import { clearHolder, findMembership, setHolder } from './queries.ts'
import { removePerson } from './remove-person.ts'

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
  userRoute(app, contract.takeVehicle, async ({ id, until = null }, actor) => {
    if (!(await setHolder(db, id, actor.id, until))) refuse('not_found')
    return listVehiclePeople(db, id, actor.id)
  })
  userRoute(app, contract.releaseVehicle, async ({ id }, actor) => {
    const membership = (await findMembership(db, id, actor.id)) ?? refuse('not_found')
    if (!(await clearHolder(db, id, membership))) refuse('forbidden')
  })
}
