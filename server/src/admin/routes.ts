import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/admin.ts'
import { listAuditLog } from '../audit/list-audit-log.ts'
import { createLookUpRecorder, recordUserLookUp } from '../audit/record-action.ts'
import { getEventsPage } from '../auth/events/list-events.ts'
import type { AppContext } from '../context.ts'
import { decryptContextFor } from '../http/decrypt-context.ts'
import { adminRoute } from '../http/route.ts'
import { requireFreshFactor } from '../http/second-factor.ts'
import { hashPerson } from '../limits/canonical-address.ts'
import { refuse } from '../refusal.ts'
import { findOrCreateSubject } from '../subjects/queries.ts'
import { approveVehicle } from '../vehicles/approve-vehicle.ts'
import { deleteVehicleAsAdmin } from '../vehicles/delete-vehicle.ts'
import { markDocuments } from '../vehicles/mark-documents.ts'
import { rejectVehicle } from '../vehicles/reject-vehicle.ts'
import { getActivity } from './activity.ts'
import { getStats } from './get-stats.ts'
import { getAdminDispute, listDisputes } from './list-disputes.ts'
import { listUsers } from './list-users.ts'
import { getAdminVehicle, listVehicles } from './list-vehicles.ts'
import { peopleRoutes } from './people-routes.ts'
import { findUserDetails } from './user-queries.ts'

export function adminRoutes(app: FastifyInstance, context: AppContext) {
  const { db } = context
  const recordLookUp = createLookUpRecorder(db, context.keyring)
  adminRoute(app, contract.getUsers, async (input, admin) => {
    const page = await listUsers(db, input)
    await recordLookUp({ actor: admin, action: 'users_looked_up', question: input, count: page.items.length })
    return page
  })
  adminRoute(app, contract.getAdminUser, async ({ id }, admin) => {
    const user = (await findUserDetails(db, id)) ?? refuse('not_found')
    await recordUserLookUp(db, admin, user)
    const { person_hash, ...details } = user
    const person = person_hash ?? hashPerson(context.keyring, user.email)
    return { ...details, person_id: await findOrCreateSubject(db, person) }
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
    await recordLookUp({ actor: admin, action: 'vehicles_looked_up', question: input, count: page.items.length })
    return page
  })
  adminRoute(app, contract.approveVehicle, async ({ id }, admin) => {
    const { deletedPeers } = await approveVehicle(context, admin, id, () => requireFreshFactor(admin))
    return { vehicle: await getAdminVehicle(db, id), deleted_peers: deletedPeers }
  })
  adminRoute(app, contract.rejectVehicle, async ({ id, reason }, admin) => {
    await rejectVehicle(context, admin, id, reason)
    return { vehicle: await getAdminVehicle(db, id) }
  })
  adminRoute(app, contract.deleteAdminVehicle, async ({ id }, admin) => {
    requireFreshFactor(admin)
    await deleteVehicleAsAdmin(context, admin, id)
  })
  adminRoute(app, contract.listDisputes, (paging) => listDisputes(db, paging))
  adminRoute(app, contract.markDocuments, async ({ id, documents_received }, admin) => {
    await markDocuments(context, admin, id, documents_received)
    return getAdminDispute(db, id)
  })
  adminRoute(app, contract.listAuditLog, (paging, _, { request }) =>
    listAuditLog(context.db, decryptContextFor(context, request), paging),
  )
}
