import { BadgeCheck, CircleCheck, CircleX, Clock, type LucideIcon } from 'lucide-react'
import type { VehicleStatus } from '#contract/vehicles.ts'
import { m } from '~/paraglide/messages'
import { Badge, type BadgeTone } from '~/ui/Badge'

const styles: Record<VehicleStatus, { tone: BadgeTone; icon: LucideIcon }> = {
  active: { tone: 'neutral', icon: CircleCheck },
  pending_verification: { tone: 'warn', icon: Clock },
  rejected: { tone: 'danger', icon: CircleX },
  verified: { tone: 'good', icon: BadgeCheck },
  approved: { tone: 'good', icon: CircleCheck },
}

/** The names of the statuses for admins (requirements §4): 'Active' adds that the vehicle is not verified yet. */
export const statusLabels: Record<VehicleStatus, () => string> = {
  active: m.admin_status_active,
  pending_verification: m.vehicles_status_pending,
  rejected: m.vehicles_status_rejected,
  verified: m.vehicles_status_verified,
  approved: m.admin_status_approved,
}

/** Shows the status of a vehicle in the words for admins. */
export function AdminStatusBadge({ status }: { status: VehicleStatus }) {
  return (
    <Badge tone={styles[status].tone} icon={styles[status].icon}>
      {statusLabels[status]()}
    </Badge>
  )
}
