import type { ReceivedMessage, SentMessage } from '#contract/messages.ts'
import { localizedMessageText, reasonName } from '#contract/reasons.ts'
import { getLocale } from '~/lib/i18n/i18n'
import { m } from '~/paraglide/messages'
import { REASON_ICONS } from './reason-icons.ts'

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
