import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as contract from '#contract/admin.ts'
import * as people from '#contract/people.ts'
import { listAuditLog } from '../audit/list-audit-log.ts'
import { recordLookUp, recordPersonLookUp, recordUserLookUp } from '../audit/record-action.ts'
import { getEventsPage } from '../auth/events.ts'
import type { AppContext } from '../context.ts'
import { requireFreshFactor } from '../http/actor.ts'
import { decryptContextFor } from '../http/decrypt-context.ts'
import { adminRoute } from '../http/route.ts'
import { refuse } from '../refusal.ts'
import { liftSanctions, suspendPerson } from '../sanctions/suspend-person.ts'
import { findOrCreateSubject } from '../subjects/queries.ts'
import { approveVehicle } from '../vehicles/approve-vehicle.ts'
import { deleteVehicleAsAdmin } from '../vehicles/delete-vehicle.ts'
import { rejectVehicle } from '../vehicles/reject-vehicle.ts'
import { getActivity } from './activity.ts'
import { getPerson } from './get-person.ts'
import { findUserDetails, getStats, listUsers, listVehicles } from './lists.ts'

/** Registers the page of a person (decisions admin-inbox and sanctions-and-appeals). */
function peopleRoutes(app: FastifyInstance, context: AppContext) {
  const readPerson = (id: string, request: FastifyRequest) =>
    getPerson(context.db, decryptContextFor(context, request), id)

  adminRoute(app, people.getPerson, async ({ id }, admin, { request }) => {
    const person = await readPerson(id, request)
    await recordPersonLookUp(context.db, admin, { id, address: person.accounts[0]?.address })
    return person
  })
  adminRoute(app, people.suspendPerson, async ({ id, reason, days }, admin, { request }) => {
    requireFreshFactor(admin)
    await suspendPerson(context, admin, id, { reason, days: days ?? null })
    return readPerson(id, request)
  })
  adminRoute(app, people.liftSanctions, async ({ id, reason }, admin, { request }) => {
    requireFreshFactor(admin)
    await liftSanctions(context, admin, id, reason)
    return readPerson(id, request)
  })
}

export function adminRoutes(app: FastifyInstance, context: AppContext) {
  const { db } = context
  adminRoute(app, contract.getUsers, async (input, admin) => {
    const page = await listUsers(db, input)
    await recordLookUp(context, { actor: admin, action: 'users_looked_up', question: input, count: page.items.length })
    return page
  })
  adminRoute(app, contract.getAdminUser, async ({ id }, admin) => {
    const user = (await findUserDetails(db, id)) ?? refuse('not_found')
    await recordUserLookUp(db, admin, user)
    const { person_hash, ...details } = user
    return { ...details, person_id: await findOrCreateSubject(db, person_hash) }
  })
  adminRoute(app, contract.listUserEvents, async ({ id, ...paging }, actor, { request }) => {
    await recordUserLookUp(db, actor, (await findUserDetails(db, id)) ?? refuse('not_found'))
    return getEventsPage(context, id, paging, { actor, request })
  })
  peopleRoutes(app, context)
  adminRoute(app, contract.getStats, () => getStats(db))
  adminRoute(app, contract.getActivity, () => getActivity(db))
  adminRoute(app, contract.listAdminVehicles, async (input, admin) => {
    const page = await listVehicles(db, input)
    await recordLookUp(context, {
      actor: admin,
      action: 'vehicles_looked_up',
      question: input,
      count: page.items.length,
    })
    return page
  })
  adminRoute(app, contract.approveVehicle, ({ id }, admin) => approveVehicle(context, admin, id))
  adminRoute(app, contract.rejectVehicle, ({ id, reason }, admin) => rejectVehicle(context, admin, id, reason))
  adminRoute(app, contract.deleteAdminVehicle, ({ id }, admin) => deleteVehicleAsAdmin(context, admin, id))
  adminRoute(app, contract.listAuditLog, (paging, _, { request }) =>
    listAuditLog(context.db, decryptContextFor(context, request), paging),
  )
}
