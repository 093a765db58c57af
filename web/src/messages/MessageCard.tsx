import { CornerDownRight, ImageOff, Maximize2, Printer, ShieldAlert } from 'lucide-react'
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { ReceivedMessage, SentMessage } from '#contract/messages.ts'
import { paths } from '#contract/paths.ts'
import { ImageViewer } from '~/attachments/ImageViewer'
import { formatShortDate } from '~/lib/dates/dates'
import { verbatim } from '~/lib/i18n/verbatim'
import { m } from '~/paraglide/messages'
import { Plate } from '~/ui/Plate'
import { Skeleton } from '~/ui/Skeleton'
import { Dialog } from '~/ui/signed-in/Dialog'
import { LoadedPart } from '~/ui/signed-in/LoadedPart'
import { Menu, MenuButton, MenuLink } from '~/ui/signed-in/Menu'
import { RelativeTime } from '~/ui/signed-in/RelativeTime'
import type { LinkedItem } from '~/ui/signed-in/use-linked-item'
import { useIsJustSent } from './just-sent.ts'
import { MessageText } from './MessageText.tsx'
import { nameOfReason, textOf } from './message-texts.ts'
import { REASON_ICONS } from './reason-icons.ts'

// loaded on demand: few messages are about a collision, few people need the sheet
const loadCollision = () => import('~/collisions/MessageCollision')
const loadSheet = () => import('~/reports/SafetySheet')

type Props = {
  message: ReceivedMessage | SentMessage
  /** Set when the address names this message, which then gets the focus. */
  linked: LinkedItem | null
  /** Called once for each visit to this message. */
  onVisit?: () => void
  /** Shown beside the plate. */
  status?: ReactNode
  /** Shown before the message itself. */
  lead?: ReactNode
  children: ReactNode
}

/** Shows what received and sent messages have in common when they are open: the plate, the time, the text, the image. */
export function MessageCard({ message, linked, onVisit, status, lead, children }: Props) {
  const card = useRef<HTMLElement>(null)
  const isReceived = 'is_read' in message
  const { plate } = message
  const showLinked = useEffectEvent(() => {
    card.current?.focus({ preventScroll: true })
    card.current?.scrollIntoView({ block: 'start' })
    onVisit?.()
  })
  // the heading of the page has it then, which says that it was sent
  const visit = useIsJustSent() ? undefined : linked?.visit
  useEffect(() => {
    if (visit !== undefined) showLinked()
  }, [visit])

  return (
    // the margin is larger than what is above it on a large screen, where the page then scrolls to its top
    <article
      ref={card}
      id={message.id}
      tabIndex={-1}
      aria-label={plate === null ? m.message_note() : m.message_to({ plate })}
      className="grid scroll-mt-32 gap-4 rounded-2xl border border-line bg-surface p-4 shadow-card outline-none sm:p-6 lg:scroll-mt-80"
    >
      <header className="flex items-start gap-3 max-[18rem]:flex-wrap">
        {plate === null ? (
          <span className="font-bold">{m.message_note()}</span>
        ) : (
          <Plate plate={plate} size="sm" className="shrink-0" />
        )}
        <div className="grid flex-1 gap-1 self-center text-sm text-ink-soft max-[18rem]:order-last max-[18rem]:basis-full">
          {status}
        </div>
        <div className="-mt-1 -mr-2 ml-auto">
          <MessageMenu message={message} />
        </div>
      </header>
      {lead}
      {isReceived && message.left_at_vehicle && (
        <p className="-mb-2 text-sm font-semibold text-ink-soft">{m.message_left_at_vehicle()}</p>
      )}
      <ReasonLine message={message} />
      {plate === null ? (
        <p className="text-sm text-ink-soft">{textOf(message)}</p>
      ) : (
        <MessageText text={textOf(message)} />
      )}
      {message.image_url && <AttachedImage url={message.image_url} />}
      {message.collision && (
        <LoadedPart name="collision of a message" load={loadCollision} skeleton={<Skeleton className="h-16 w-full" />}>
          {({ MessageCollision }) => (
            <MessageCollision id={message.id} view={isReceived ? 'received' : 'sent'} collision={message.collision!} />
          )}
        </LoadedPart>
      )}
      {children}
    </article>
  )
}

/** Offers what is rarely needed about a message: block and report who wrote, keep a copy, see how long it is kept. */
function MessageMenu({ message }: Pick<Props, 'message'>) {
  const { id, plate, kept_until } = message
  const [isOpen, setOpen] = useState(false)
  // a sheet that is opened again starts over; while one fades out it stays as it is
  const [round, setRound] = useState(0)
  const content = useRef<HTMLDivElement>(null)
  const show = () => {
    setRound(round + 1)
    setOpen(true)
  }
  return (
    <>
      <Menu about={plate === null ? m.message_note() : verbatim(m.message_menu_about({ plate }), plate)}>
        {/* of what the user sent, only a reply was written by somebody else */}
        {('is_read' in message || message.reply !== null) && (
          <MenuButton icon={ShieldAlert} onClick={show}>
            {m.message_safety()}
          </MenuButton>
        )}
        <MenuLink icon={Printer} to={paths.messageCopy(id)}>
          {m.message_copy()}
        </MenuLink>
        <li className="px-3 py-2 text-sm text-ink-soft">
          <time dateTime={kept_until}>{m.message_kept_until({ date: formatShortDate(kept_until) })}</time>
        </li>
      </Menu>
      <Dialog open={isOpen} onOpenChange={setOpen} title={m.message_safety()} initialFocus={() => content.current}>
        <div ref={content} tabIndex={-1} className="outline-none">
          <LoadedPart name="safety sheet" load={loadSheet} skeleton={<Skeleton className="h-80 w-full" />}>
            {({ SafetySheet }) => <SafetySheet key={round} message={message} onClose={() => setOpen(false)} />}
          </LoadedPart>
        </div>
      </Dialog>
    </>
  )
}

function ReasonLine({ message }: Pick<Props, 'message'>) {
  const name = nameOfReason(message)
  if (name === null) return null
  const { icon: Icon } = REASON_ICONS[message.reason!]
  return (
    <p className="-mb-2 flex items-center gap-2 font-bold">
      <Icon aria-hidden="true" className="size-5 shrink-0 text-pine" />
      {name}
    </p>
  )
}

type ReplyProps = {
  title: string
  /** What the answer says to the reader; null: there is none. */
  answer: string | null
  /** May be empty where there is an answer. */
  text: string
  /** Null where the time stands elsewhere. */
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
        {at && <RelativeTime byClock iso={at} />}
      </p>
      {answer !== null && <p className="text-lg font-bold">{answer}</p>}
      {text !== '' && <MessageText text={text} />}
    </div>
  )
}

/** Shows the image of a message as a thumbnail that opens the whole image. */
function AttachedImage({ url }: { url: string }) {
  const [open, setOpen] = useState(false)
  const [broken, setBroken] = useState(false)
  if (broken) {
    return (
      <p className="inline-flex items-center gap-2 text-sm text-ink-soft">
        <ImageOff aria-hidden="true" className="size-5 shrink-0" />
        {m.image_gone()}
      </p>
    )
  }
  return (
    <>
      <button
        type="button"
        aria-label={m.image_open()}
        onClick={() => setOpen(true)}
        className="group relative block size-28 overflow-hidden rounded-xl border border-line bg-sunken"
      >
        <img
          src={url}
          alt=""
          loading="lazy"
          decoding="async"
          className="size-full object-cover"
          onError={() => setBroken(true)}
        />
        <span className="absolute right-1.5 bottom-1.5 grid size-8 place-items-center rounded-lg bg-black/65 text-white">
          <Maximize2 aria-hidden="true" className="size-4" />
        </span>
      </button>
      <ImageViewer url={url} open={open} onOpenChange={setOpen} />
    </>
  )
}
