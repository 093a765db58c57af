import { BadgeCheck, CircleCheck, CirclePause, CircleX, Clock, type LucideIcon } from 'lucide-react'
import type { VehicleStatus } from '#contract/vehicles.ts'
import { m } from '~/paraglide/messages'
import { Badge, type BadgeTone } from '~/ui/Badge'

type BadgeStyle = { tone: BadgeTone; icon: LucideIcon; text: () => string }

const rejected: BadgeStyle = { tone: 'danger', icon: CircleX, text: m.vehicles_status_rejected }

const STYLES: Record<VehicleStatus, BadgeStyle> = {
  pending_verification: { tone: 'warn', icon: Clock, text: m.vehicles_status_pending },
  active: { tone: 'good', icon: CircleCheck, text: m.vehicles_status_active },
  verified: { tone: 'good', icon: BadgeCheck, text: m.vehicles_status_verified },
  approved: rejected, // owners read every other status as rejected (requirements §4)
  rejected,
}

/** For admins (requirements §4): 'Active' adds that the vehicle is not verified yet. */
const ADMIN_STYLES: Record<VehicleStatus, BadgeStyle> = {
  ...STYLES,
  active: { tone: 'neutral', icon: CircleCheck, text: m.admin_status_active },
  approved: { tone: 'good', icon: CircleCheck, text: m.admin_status_approved },
}

type Props = { status: VehicleStatus; paused: boolean }

/** Shows the status of a vehicle in the words for owners, and whether it is paused: then it is not 'active' for anybody. */
export function VehicleStatusBadge({ status, paused }: Props) {
  return (
    <>
      {/* a newer server may know more statuses than this page */}
      {!(paused && status === 'active') && <StyledBadge {...(STYLES[status] ?? rejected)} />}
      {paused && <StyledBadge tone="neutral" icon={CirclePause} text={m.vehicles_status_paused} />}
    </>
  )
}

/** Names a status for admins. */
export const adminStatusText = (status: VehicleStatus): string => ADMIN_STYLES[status].text()

/** Shows the status of a vehicle in the words for admins. */
export const AdminStatusBadge = ({ status }: { status: VehicleStatus }) => <StyledBadge {...ADMIN_STYLES[status]} />

function StyledBadge({ tone, icon, text }: BadgeStyle) {
  return (
    <Badge tone={tone} icon={icon}>
      {text()}
    </Badge>
  )
}
