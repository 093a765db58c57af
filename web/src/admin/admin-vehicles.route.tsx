import { listAdminVehicles } from '#contract/admin.ts'
import { addressOf } from '~/lib/api'
import { pageMeta } from '~/lib/page-meta'
import type { RouteHandle } from '~/lib/route-handle'
import { m } from '~/paraglide/messages'
import { VehiclesAdminPage } from './VehiclesAdminPage.tsx'

export const handle: RouteHandle = { reads: [addressOf(listAdminVehicles, {})] }

export const meta = () => pageMeta(m.admin_vehicles_title())

export default function AdminVehicles() {
  return <VehiclesAdminPage />
}
