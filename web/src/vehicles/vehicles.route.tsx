import { PAGE_LIMIT_MAX } from '#contract/endpoint.ts'
import { listVehicles } from '#contract/vehicles.ts'
import { addressOf } from '~/lib/api'
import { pageMeta } from '~/lib/page-meta'
import { queryClient } from '~/lib/query-client'
import { readBeforeDrawing } from '~/lib/read-before-drawing'
import type { RouteHandle } from '~/lib/route-handle'
import { m } from '~/paraglide/messages'
import { ownVehicles } from './queries.ts'
import { VehiclesPage } from './VehiclesPage.tsx'

const FIRST = addressOf(listVehicles, { limit: PAGE_LIMIT_MAX })

export const handle: RouteHandle = { reads: [FIRST] }

export const clientLoader = () => readBeforeDrawing(FIRST, () => queryClient.prefetchQuery(ownVehicles))

export const meta = () => pageMeta(m.nav_vehicles())

export default function Vehicles() {
  return <VehiclesPage />
}
