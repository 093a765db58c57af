import { privatePageMeta } from '~/lib/page/page-meta'
import { m } from '~/paraglide/messages'
import { NewVehiclePage } from './NewVehiclePage.tsx'

export const meta = () => privatePageMeta(m.page_new_vehicle())

export default function NewVehicle() {
  return <NewVehiclePage />
}
