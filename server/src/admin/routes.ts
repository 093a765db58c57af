import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/admin.ts'
import { listAuditLog } from '../audit/list-audit-log.ts'
import type { AppContext } from '../context.ts'
import { decryptContextFor } from '../http/decrypt-context.ts'
import { adminRoute } from '../http/route.ts'
import { approveVehicle } from '../vehicles/approve-vehicle.ts'
import { deleteVehicleAsAdmin } from '../vehicles/delete-vehicle.ts'
import { markDocuments } from '../vehicles/mark-documents.ts'
import { rejectVehicle } from '../vehicles/reject-vehicle.ts'
import { getStats } from './get-stats.ts'
import { getAdminDispute, listDisputes } from './list-disputes.ts'
import { listUsers } from './list-users.ts'
import { getAdminVehicle, listVehicles } from './list-vehicles.ts'

export function adminRoutes(app: FastifyInstance, context: AppContext) {
  const { db } = context
  adminRoute(app, contract.getUsers, (input) => listUsers(db, input))
  adminRoute(app, contract.getStats, () => getStats(db))
  adminRoute(app, contract.listAdminVehicles, (input) => listVehicles(db, input))
  adminRoute(app, contract.approveVehicle, async ({ id }, admin) => {
    const { deletedPeers } = await approveVehicle(context, admin, id)
    return { vehicle: await getAdminVehicle(db, id), deleted_peers: deletedPeers }
  })
  adminRoute(app, contract.rejectVehicle, async ({ id, reason }, admin) => {
    await rejectVehicle(context, admin, id, reason)
    return { vehicle: await getAdminVehicle(db, id) }
  })
  adminRoute(app, contract.deleteAdminVehicle, ({ id }, admin) => deleteVehicleAsAdmin(context, admin, id))
  adminRoute(app, contract.listDisputes, (paging) => listDisputes(db, paging))
  adminRoute(app, contract.markDocuments, async ({ id, documents_received }, admin) => {
    await markDocuments(context, admin, id, documents_received)
    return getAdminDispute(db, id)
  })
  adminRoute(app, contract.listAuditLog, (paging, _, { request }) =>
    listAuditLog(context.db, decryptContextFor(context, request), paging),
  )
}
