import clsx from 'clsx'
import { CornerDownRight } from 'lucide-react'
import { type ReactNode, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import type { ReceivedMessage, SentMessage } from '#contract/messages.ts'
import { localizedMessageText, reasonName } from '#contract/reasons.ts'
import { AttachedImage } from '~/attachments/AttachedImage'
import { formatShortDate } from '~/lib/dates/dates'
import { getLocale } from '~/lib/i18n/i18n'
import { m } from '~/paraglide/messages'
import { Plate } from '~/ui/Plate'
import { Skeleton } from '~/ui/Skeleton'
import { LoadedPart } from '~/ui/signed-in/LoadedPart'
import { RelativeTime } from '~/ui/signed-in/RelativeTime'
import type { LinkedItem } from '~/ui/signed-in/use-linked-item'
import { REASON_ICONS } from './reason-icons.ts'

// loaded on demand: few messages are about a collision
const loadCollision = () => import('~/collisions/MessageCollision')

type Props = {
  message: ReceivedMessage | SentMessage
  /** Set when the address names this message, which is then scrolled into view, marked and expanded. */
  linked: LinkedItem | null
  /** Called once for each visit to this message. */
  onVisit?: () => void
  /** Shown opposite the plate, below the time. */
  status: ReactNode
  /** Shown opposite the day until which the message is kept. */
  footer?: ReactNode
  children: ReactNode
}

/** Shows what received and sent messages have in common: the plate, the time, the text, the image. */
export function MessageCard({ message, linked, onVisit, status, footer, children }: Props) {
  const card = useRef<HTMLElement>(null)
  const showLinked = useEffectEvent(() => {
    card.current?.focus({ preventScroll: true })
    card.current?.scrollIntoView({ block: 'start' })
    onVisit?.()
  })
  const visit = linked?.visit
  useEffect(() => {
    if (visit !== undefined) showLinked()
  }, [visit])

  return (
    <article
      ref={card}
      id={message.id}
      tabIndex={-1}
      aria-label={message.plate === null ? m.message_note() : m.message_to({ plate: message.plate })}
      className={clsx(
        'grid scroll-mt-20 gap-4 rounded-2xl border bg-surface p-4 shadow-card outline-none sm:p-6 lg:scroll-mt-6',
        linked ? 'border-pine ring-2 ring-pine' : 'border-line',
      )}
    >
      <header className="flex items-start justify-between gap-3">
        {message.plate === null ? (
          <span className="font-bold">{m.message_note()}</span>
        ) : (
          <Plate plate={message.plate} size="sm" className="shrink-0" />
        )}
        <div className="grid justify-items-end gap-1.5 text-right">
          <span className="text-sm text-ink-soft">
            <RelativeTime iso={message.inserted_at} />
          </span>
          {status}
        </div>
      </header>
      {'is_read' in message && message.left_at_vehicle && (
        <p className="-mb-2 text-sm font-semibold text-ink-soft">{m.message_left_at_vehicle()}</p>
      )}
      <ReasonLine message={message} />
      {message.plate === null ? (
        <p className="text-sm text-ink-soft">{m.message_note_sealed()}</p>
      ) : (
        <MessageText
          text={'is_read' in message ? localizedMessageText(message, getLocale()) : message.content}
          open={linked !== null}
        />
      )}
      {message.image_url && <AttachedImage url={message.image_url} />}
      {message.collision && (
        <LoadedPart name="collision of a message" load={loadCollision} skeleton={<Skeleton className="h-16 w-full" />}>
          {({ MessageCollision }) => (
            <MessageCollision
              id={message.id}
              view={'is_read' in message ? 'received' : 'sent'}
              collision={message.collision!}
            />
          )}
        </LoadedPart>
      )}
      {children}
      <div className="-my-2 flex flex-wrap items-center justify-between gap-x-4">
        {footer}
        <p className="ml-auto py-2 text-right text-xs text-ink-soft">
          <time dateTime={message.kept_until}>
            {m.message_kept_until({ date: formatShortDate(message.kept_until) })}
          </time>
        </p>
      </div>
    </article>
  )
}

/** Shows the reason of a message: to its owner in the words for owners, to its sender in those of the button. */
function ReasonLine({ message }: { message: ReceivedMessage | SentMessage }) {
  const { reason } = message
  if (reason === null || reason === 'other') return null
  const { icon: Icon, label } = REASON_ICONS[reason]
  return (
    <p className="-mb-2 flex items-center gap-2 font-bold">
      <Icon aria-hidden="true" className="size-5 shrink-0 text-pine" />
      {'is_read' in message ? reasonName(reason, getLocale()) : label()}
    </p>
  )
}

type ReplyProps = {
  title: string
  /** What the answer says to the reader; null: there is none. */
  answer: string | null
  /** May be empty where there is an answer. */
  text: string
  at: string | null
}

/** Shows the reply to a message; both sides see it. */
export function Reply({ title, answer, text, at }: ReplyProps) {
  return (
    <div className="grid gap-1 rounded-xl bg-pine-soft p-4">
      <p className="flex flex-wrap items-center justify-between gap-x-3 text-sm">
        <span className="inline-flex items-center gap-2 font-bold text-pine">
          <CornerDownRight aria-hidden="true" className="size-4 shrink-0" />
          {title}
        </span>
        {at && <RelativeTime iso={at} />}
      </p>
      {answer !== null && <p className="font-bold">{answer}</p>}
      {text !== '' && <MessageText text={text} />}
    </div>
  )
}

const LONG_CHARACTERS = 480
const LONG_LINES = 8

/**
 * Shows a text exactly as it was written: plain, with its line breaks, its links not clickable (a stranger wrote them).
 * Of a long text it shows the beginning, with a button for the rest.
 */
function MessageText({ text, open = false }: { text: string; open?: boolean }) {
  const id = useId()
  const [override, setOverride] = useState<boolean | null>(null)
  const isLong = text.length > LONG_CHARACTERS || text.split('\n').length > LONG_LINES
  const isExpanded = !isLong || (override ?? open)
  return (
    <div>
      <p
        id={id}
        dir="auto"
        className={clsx('max-w-prose text-lg whitespace-pre-wrap wrap-anywhere', !isExpanded && 'line-clamp-6')}
      >
        {text}
      </p>
      {isLong && (
        <button
          type="button"
          aria-expanded={isExpanded}
          aria-controls={id}
          className="link mt-1 min-h-11"
          onClick={() => setOverride(!isExpanded)}
        >
          {isExpanded ? m.message_less() : m.message_more()}
        </button>
      )}
    </div>
  )
}
