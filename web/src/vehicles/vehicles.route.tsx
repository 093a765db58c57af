import { PAGE_LIMIT_MAX } from '#contract/endpoint.ts'
import { listVehicles } from '#contract/vehicles.ts'
import { addressOf } from '~/lib/api'
import { pageMeta } from '~/lib/page-meta'
import type { RouteHandle } from '~/lib/route-handle'
import { m } from '~/paraglide/messages'
import { VehiclesPage } from './VehiclesPage.tsx'

export const handle: RouteHandle = { reads: [addressOf(listVehicles, { limit: PAGE_LIMIT_MAX })] }

export const meta = () => pageMeta(m.nav_vehicles())

export default function Vehicles() {
  return <VehiclesPage />
}
