import { CircleCheck } from 'lucide-react'
import type { VehicleStatus } from '#contract/vehicles.ts'
import { m } from '~/paraglide/messages'
import { type BadgeStyle, STATUS_STYLES, StyledBadge } from '~/vehicles/VehicleStatusBadge'

/** The statuses for admins (requirements §4): 'Active' adds that the vehicle is not verified yet. */
const STYLES: Record<VehicleStatus, BadgeStyle> = {
  ...STATUS_STYLES,
  active: { tone: 'neutral', icon: CircleCheck, text: m.admin_status_active },
  approved: { tone: 'good', icon: CircleCheck, text: m.admin_status_approved },
}

/** Names a status for admins. */
export const adminStatusText = (status: VehicleStatus): string => STYLES[status].text()

/** Shows the status of a vehicle in the words for admins. */
export const AdminStatusBadge = ({ status }: { status: VehicleStatus }) => <StyledBadge {...STYLES[status]} />
