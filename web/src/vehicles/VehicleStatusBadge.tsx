import { BadgeCheck, CircleCheck, CirclePause, CircleX, Clock, type LucideIcon } from 'lucide-react'
import { PRODUCT } from '#contract/product.ts'
import type { VehicleStatus } from '#contract/vehicles.ts'
import { m } from '~/paraglide/messages'
import { Badge, type BadgeTone } from '~/ui/Badge'

export type BadgeStyle = { tone: BadgeTone; icon: LucideIcon; text: () => string }

const rejected: BadgeStyle = { tone: 'danger', icon: CircleX, text: m.vehicles_status_rejected }

export const STATUS_STYLES: Record<VehicleStatus, BadgeStyle> = {
  pending_verification: { tone: 'warn', icon: Clock, text: m.vehicles_status_pending },
  active: { tone: 'good', icon: CircleCheck, text: m.vehicles_status_active },
  verified: { tone: 'good', icon: BadgeCheck, text: m.vehicles_status_verified },
  approved: rejected, // owners read every other status as rejected (requirements §4)
  rejected,
}

const verifiedUser = { ...STATUS_STYLES.verified, text: () => m.vehicles_verified_user({ product: PRODUCT }) }

/** `isNamed`: a verified vehicle is said to be that of a 'Verified PlateNote User'. */
type Props = { status: VehicleStatus; paused: boolean; isNamed?: boolean }

/** Shows the status of a vehicle in the words for owners, and whether it is paused: then it is not 'active' for anybody. */
export function VehicleStatusBadge({ status, paused, isNamed }: Props) {
  return (
    <>
      {/* a newer server may know more statuses than this page */}
      {!(paused && status === 'active') && (
        <StyledBadge {...(isNamed && status === 'verified' ? verifiedUser : (STATUS_STYLES[status] ?? rejected))} />
      )}
      {paused && <StyledBadge tone="neutral" icon={CirclePause} text={m.vehicles_status_paused} />}
    </>
  )
}

/** Shows a status as a badge. */
export function StyledBadge({ tone, icon, text }: BadgeStyle) {
  return (
    <Badge tone={tone} icon={icon}>
      {text()}
    </Badge>
  )
}
