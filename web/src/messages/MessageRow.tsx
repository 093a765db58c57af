import clsx from 'clsx'
import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ReceivedMessage, SentMessage } from '#contract/messages.ts'
import { formatDateTime, formatDayOfYear, formatWithinDay } from '~/lib/dates/dates'
import { Link } from '~/lib/i18n/i18n'
import { m } from '~/paraglide/messages'
import { Plate } from '~/ui/Plate'
import { nameOfReason, textOf } from './message-texts.ts'

/** Returns the id of the row of a message, whose own id is that of the open message. */
export const rowId = (messageId: string) => `row-${messageId}`

type Props = {
  message: ReceivedMessage | SentMessage
  now: number
  isOpen: boolean
  link: { to: string; replace: boolean; state: unknown }
}

/** Shows a message in a list: the plate, the reason or the first words, when it came, whether it was read and answered. */
export function MessageRow({ message, now, isOpen, link }: Props) {
  const { id, plate, inserted_at } = message
  const isUnread = 'is_read' in message && !message.is_read
  const [title, text] = titleAndText(message)
  const state = rowState(message)
  const isOneText = text === '' && state === null
  const isDanger = isUnread && message.reason === 'someone_inside'
  return (
    <li>
      <Link
        {...link}
        id={rowId(id)}
        aria-current={isOpen || undefined}
        className="flex min-h-17 items-start gap-3 rounded-xl px-3 py-2.5 hover:bg-ink/5 lg:aria-[current]:bg-surface lg:aria-[current]:shadow-card"
      >
        {plate === null ? (
          <span className="w-16 shrink-0 text-sm leading-tight font-bold">{m.message_note()}</span>
        ) : (
          <Plate plate={plate} size="xs" className="mt-1.5 shrink-0" />
        )}
        <span className="grid min-w-0 flex-1 grid-cols-1">
          <span className="flex items-baseline gap-2">
            {isUnread && (
              <span className="size-2.5 shrink-0 rounded-full bg-pine forced-color-adjust-none">
                <span className="sr-only">{m.message_unread()}</span>
              </span>
            )}
            <span
              dir="auto"
              className={clsx(
                'min-w-0 flex-1',
                isDanger ? 'line-clamp-3 text-danger' : isOneText ? 'line-clamp-2' : 'truncate',
                isUnread && 'font-bold',
              )}
            >
              {title}
            </span>
            <time dateTime={inserted_at} title={formatDateTime(inserted_at)} className="shrink-0 text-sm text-ink-soft">
              {formatWithinDay(inserted_at, now, formatDayOfYear)}
            </time>
          </span>
          {!isOneText && (
            <span className="flex items-center gap-2 text-sm leading-6 text-ink-soft">
              {state}
              <span dir="auto" className="min-w-0 truncate">
                {text}
              </span>
            </span>
          )}
        </span>
      </Link>
    </li>
  )
}

/** Returns a word about what has become of a message; null where there is nothing to say. */
function rowState(message: ReceivedMessage | SentMessage): ReactNode {
  if (message.reply !== null)
    return (
      <span className="inline-flex items-center gap-1 font-semibold text-pine min-[18rem]:shrink-0">
        <Check aria-hidden="true" className="size-4" />
        {m.message_answered()}
      </span>
    )
  if ('is_read' in message) return null
  if (message.email_status === 'failed') return <span className="min-[18rem]:shrink-0">{m.refusal_email_failed()}</span>
  return <span className="min-[18rem]:shrink-0">{m.message_no_reply()}</span>
}

/** Returns what the two lines of a row say: the reason and the text, or the text alone. */
function titleAndText(message: ReceivedMessage | SentMessage): [title: string, text: string] {
  const text = textOf(message)
  const reason = message.plate === null ? null : nameOfReason(message)
  if (reason !== null) return [reason, text]
  const [first = '', ...rest] = text.trim().split('\n')
  return [first, rest.join(' ').trim()]
}
