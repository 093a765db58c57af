import { listAdminVehicles } from '#contract/admin.ts'
import { urlOf } from '~/lib/http/api'
import { privatePageMeta } from '~/lib/page/page-meta'
import type { RouteHandle } from '~/lib/page/route-handle'
import { prefetchBeforeRender } from '~/lib/query/prefetch-before-render'
import { queryClient } from '~/lib/query/query-client'
import { m } from '~/paraglide/messages'
import { vehiclesQuery } from './queries.ts'
import { VehiclesAdminPage } from './VehiclesAdminPage.tsx'

const FIRST = urlOf(listAdminVehicles, {})

export const handle: RouteHandle = { prefetch: [FIRST] }

export const clientLoader = () =>
  prefetchBeforeRender(FIRST, () => queryClient.prefetchInfiniteQuery(vehiclesQuery({})))

export const meta = () => privatePageMeta(m.admin_vehicles_title())

export default function AdminVehicles() {
  return <VehiclesAdminPage />
}
