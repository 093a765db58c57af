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
import type { MessageReason, ReceivedMessage, SentMessage } from '#contract/messages.ts'
import { localizedMessageText, reasonName } from '#contract/reasons.ts'
import { getLocale } from '~/lib/i18n/i18n'
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

/** Returns the reason of a message: to its owner in the words for owners, to its sender in those of the button. */
export function nameOfReason(message: ReceivedMessage | SentMessage): string | null {
  const { reason } = message
  if (reason === null || reason === 'other') return null
  return 'is_read' in message ? reasonName(reason, getLocale()) : REASON_ICONS[reason].label()
}

/** Returns what a message says, in the reader's language where it is the text of a reason; of a note, that its sender cannot read it any more. */
export function textOf(message: ReceivedMessage | SentMessage): string {
  if (message.plate === null) return m.message_note_sealed()
  return 'is_read' in message ? localizedMessageText(message, getLocale()) : message.content
}
