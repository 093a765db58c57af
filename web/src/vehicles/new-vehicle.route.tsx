import { pageMeta } from '~/lib/page-meta'
import { m } from '~/paraglide/messages'
import { NewVehiclePage } from './NewVehiclePage.tsx'

export const meta = () => pageMeta(m.page_new_vehicle())

export default function NewVehicle() {
  return <NewVehiclePage />
}
