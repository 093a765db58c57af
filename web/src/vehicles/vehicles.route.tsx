import { pageMeta } from '~/lib/page-meta'
import { m } from '~/paraglide/messages'
import { VehiclesPage } from './VehiclesPage.tsx'

export const meta = () => pageMeta(m.nav_vehicles())

export default function Vehicles() {
  return <VehiclesPage />
}
