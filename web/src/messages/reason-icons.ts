import {
  Baby,
  BellRing,
  CarFront,
  DoorOpen,
  Droplets,
  Lightbulb,
  type LucideIcon,
  MessageCircle,
  TriangleAlert,
  Truck,
} from 'lucide-react'
import type { MessageReason } from '#contract/messages.ts'
import { m } from '~/paraglide/messages'

/** The icon of each reason, and its name for senders; owners read `reasonName`. */
export const REASON_ICONS: Record<MessageReason, { icon: LucideIcon; label: () => string }> = {
  blocked_in: { icon: CarFront, label: m.reason_blocked_in },
  lights_on: { icon: Lightbulb, label: m.reason_lights_on },
  door_open: { icon: DoorOpen, label: m.reason_door_open },
  alarm: { icon: BellRing, label: m.reason_alarm },
  accident: { icon: TriangleAlert, label: m.reason_accident },
  flat_or_leak: { icon: Droplets, label: m.reason_flat_or_leak },
  towing: { icon: Truck, label: m.reason_towing },
  someone_inside: { icon: Baby, label: m.reason_someone_inside },
  other: { icon: MessageCircle, label: m.reason_other },
}
