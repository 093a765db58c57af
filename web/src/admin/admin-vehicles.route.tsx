import { pageMeta } from '~/lib/page-meta'
import { m } from '~/paraglide/messages'
import { VehiclesAdminPage } from './VehiclesAdminPage.tsx'

export const meta = () => pageMeta(m.admin_vehicles_title())

export default function AdminVehicles() {
  return <VehiclesAdminPage />
}
