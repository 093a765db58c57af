import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/admin.ts'
import { listAuditLog } from '../audit/list-audit-log.ts'
import { adminRoute } from '../http/route.ts'
import type { Parts } from '../parts.ts'
import { readerOf } from '../sealing/show-text.ts'
import { approveVehicle } from '../vehicles/approve-vehicle.ts'
import { deleteVehicleAsAdmin } from '../vehicles/delete-vehicle.ts'
import { markDocuments } from '../vehicles/mark-documents.ts'
import { rejectVehicle } from '../vehicles/reject-vehicle.ts'
import { adminDispute, listDisputes } from './list-disputes.ts'
import { listUsers } from './list-users.ts'
import { adminVehicle, listVehicles } from './list-vehicles.ts'
import { showStats } from './show-stats.ts'

export function adminRoutes(app: FastifyInstance, parts: Parts) {
  const { db } = parts
  adminRoute(app, contract.getUsers, (input) => listUsers(db, input))
  adminRoute(app, contract.getStats, () => showStats(db))
  adminRoute(app, contract.listAdminVehicles, (input) => listVehicles(db, input))
  adminRoute(app, contract.approveVehicle, async ({ id }, admin) => {
    const { deletedPeers } = await approveVehicle(parts, admin, id)
    return { vehicle: await adminVehicle(db, id), deleted_peers: deletedPeers }
  })
  adminRoute(app, contract.rejectVehicle, async ({ id, reason }, admin) => {
    await rejectVehicle(parts, admin, id, reason)
    return { vehicle: await adminVehicle(db, id) }
  })
  adminRoute(app, contract.deleteAdminVehicle, ({ id }, admin) => deleteVehicleAsAdmin(parts, admin, id))
  adminRoute(app, contract.listDisputes, (paging) => listDisputes(db, paging))
  adminRoute(app, contract.markDocuments, async ({ id, documents_received }, admin) => {
    await markDocuments(parts, admin, id, documents_received)
    return adminDispute(db, id)
  })
  adminRoute(app, contract.listAuditLog, (paging, _, { request }) =>
    listAuditLog(parts.db, readerOf(parts, request), paging),
  )
}
