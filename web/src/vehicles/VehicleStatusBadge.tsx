import { BadgeCheck, CircleCheck, CircleX, Clock, type LucideIcon } from 'lucide-react'
import type { VehicleStatus } from '#contract/vehicles.ts'
import { m } from '~/paraglide/messages'
import { Badge, type BadgeTone } from '~/ui/Badge'

type BadgeStyle = { tone: BadgeTone; icon: LucideIcon; text: () => string }

const rejected: BadgeStyle = { tone: 'danger', icon: CircleX, text: m.vehicles_status_rejected }

const styles: Record<VehicleStatus, BadgeStyle> = {
  pending_verification: { tone: 'warn', icon: Clock, text: m.vehicles_status_pending },
  active: { tone: 'good', icon: CircleCheck, text: m.vehicles_status_active },
  verified: { tone: 'good', icon: BadgeCheck, text: m.vehicles_status_verified },
  approved: rejected, // owners read every other status as rejected (requirements §4)
  rejected,
}

/** Shows the status of a vehicle in the words for owners. */
export function VehicleStatusBadge({ status }: { status: VehicleStatus }) {
  const { tone, icon, text } = styles[status] ?? rejected // a newer server may know more statuses than this page
  return (
    <Badge tone={tone} icon={icon}>
      {text()}
    </Badge>
  )
}
