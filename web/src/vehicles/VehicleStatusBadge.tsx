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

type Props = {
  status: VehicleStatus
  paused: boolean
  /** Whether a verified vehicle is said to be that of a 'Verified PlateNote User'. */
  isVerifiedNamed?: boolean
}

/** Shows the status of a vehicle in the words for owners, and whether it is paused: then it is not 'active' for anybody. */
export function VehicleStatusBadge({ status, paused, isVerifiedNamed }: Props) {
  // a newer server may know more statuses than this page
  const style = STATUS_STYLES[status] ?? rejected
  const text =
    isVerifiedNamed && status === 'verified' ? () => m.vehicles_verified_user({ product: PRODUCT }) : style.text
  return (
    <>
      {!(paused && status === 'active') && <StyledBadge {...style} text={text} />}
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
