import { listAdminVehicles } from '#contract/admin.ts'
import { addressOf } from '~/lib/api'
import { pageMeta } from '~/lib/page-meta'
import { queryClient } from '~/lib/query-client'
import { readBeforeDrawing } from '~/lib/read-before-drawing'
import type { RouteHandle } from '~/lib/route-handle'
import { m } from '~/paraglide/messages'
import { vehiclesQuery } from './list-queries.ts'
import { VehiclesAdminPage } from './VehiclesAdminPage.tsx'

const FIRST = addressOf(listAdminVehicles, {})

export const handle: RouteHandle = { reads: [FIRST] }

export const clientLoader = () => readBeforeDrawing(FIRST, () => queryClient.prefetchInfiniteQuery(vehiclesQuery({})))

export const meta = () => pageMeta(m.admin_vehicles_title())

export default function AdminVehicles() {
  return <VehiclesAdminPage />
}
