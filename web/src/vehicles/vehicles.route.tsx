import { PAGE_LIMIT_MAX } from '#contract/endpoint.ts'
import { listVehicles } from '#contract/vehicles.ts'
import { urlOf } from '~/lib/http/api'
import { privatePageMeta } from '~/lib/page/page-meta'
import type { RouteHandle } from '~/lib/page/route-handle'
import { prefetchBeforeRender } from '~/lib/query/prefetch-before-render'
import { queryClient } from '~/lib/query/query-client'
import { m } from '~/paraglide/messages'
import { ownVehiclesQuery } from './queries.ts'
import { VehiclesPage } from './VehiclesPage.tsx'

const FIRST = urlOf(listVehicles, { limit: PAGE_LIMIT_MAX })

export const handle: RouteHandle = { prefetch: [FIRST] }

export const clientLoader = () => prefetchBeforeRender(FIRST, () => queryClient.prefetchQuery(ownVehiclesQuery))

export const meta = () => privatePageMeta(m.nav_vehicles())

export default function Vehicles() {
  return <VehiclesPage />
}
