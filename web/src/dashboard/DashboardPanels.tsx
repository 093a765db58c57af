import clsx from 'clsx'
import { ChevronRight } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { type Dashboard, WAITING_MS } from '#contract/dashboard.ts'
import type { ReceivedMessage } from '#contract/messages.ts'
import { paths } from '#contract/paths.ts'
import type { Province } from '#contract/provinces.ts'
import { localizedMessageText, reasonName } from '#contract/reasons.ts'
import { getLocale, Link } from '~/lib/i18n/i18n'
import { verbatim } from '~/lib/i18n/verbatim'
import { useNow } from '~/lib/time/use-now'
import { m } from '~/paraglide/messages'
import { Badge, UnreadMark } from '~/ui/Badge'
import { ButtonLink } from '~/ui/Button'
import { Card } from '~/ui/Card'
import { EmergencyCall } from '~/ui/EmergencyCall'
import { Plate } from '~/ui/Plate'
import { RelativeTime } from '~/ui/signed-in/RelativeTime'
import { VehicleStatusBadge } from '~/vehicles/VehicleStatusBadge'
import { VehicleName } from '~/vehicles/vehicle-name'

/** Returns what a message is about: its reason, or else how it begins. */
const messageSubject = (message: ReceivedMessage): string =>
  reasonName(message.reason, getLocale()) ?? localizedMessageText(message, getLocale())

/** Shows the newest message that waits for an answer, while it does, and leads to answering it; in danger, to going there or calling. */
export function WaitingMessage({ waiting }: { waiting: ReceivedMessage }) {
  const now = useNow()
  const { plate, inserted_at, id } = waiting
  if (now - Date.parse(inserted_at) > WAITING_MS) return null
  return (
    <Prompt
      plate={plate}
      title={messageSubject(waiting)}
      at={inserted_at}
      to={paths.messages('received', id)}
      action={m.dashboard_answer()}
      tone={waiting.reason === 'someone_inside' ? 'danger' : 'main'}
    />
  )
}

type PromptProps = Record<'plate' | 'title' | 'at' | 'to' | 'action', string> & { tone: 'main' | 'calm' | 'danger' }

/** Shows the one message that matters now, and what to do about it. */
export function Prompt({ plate, title, at, to, action, tone }: PromptProps) {
  const heading = useId()
  const about = (
    <div className={clsx('flex items-center gap-4', tone === 'danger' && 'pt-2')}>
      <Plate plate={plate} size="sm" className="w-[min(6rem,30vw)]! shrink-0" />
      <div className="min-w-0">
        <h2 id={heading} dir="auto" className="line-clamp-3 font-bold">
          {title}
        </h2>
        <p className="text-sm">
          <RelativeTime iso={at} />
        </p>
      </div>
    </div>
  )
  const button = (
    <ButtonLink to={to} size={tone === 'danger' ? 'lg' : 'md'} variant={tone === 'main' ? 'primary' : 'secondary'}>
      {action}
      <span className="sr-only">{verbatim(m.reply_about({ plate }), plate)}</span>
    </ButtonLink>
  )
  return (
    <section aria-labelledby={heading}>
      {tone === 'danger' ? (
        <EmergencyCall title={m.message_danger()} call={m.call_911()} action={button}>
          {about}
        </EmergencyCall>
      ) : (
        <div className="grid gap-x-6 gap-y-3 rounded-xl bg-signal-soft p-4 sm:grid-cols-[1fr_auto] sm:items-center">
          {about}
          {button}
        </div>
      )}
    </section>
  )
}

/** Shows the latest received messages, and how many are unread. */
export function RecentMessages({ messages, unread }: { messages: Dashboard['recent_messages']; unread: number }) {
  return (
    <Panel
      title={m.dashboard_recent_messages()}
      badge={unread > 0 && <Badge tone="warn">{m.dashboard_unread({ count: unread })}</Badge>}
      to={paths.messages('received')}
      empty={m.dashboard_no_messages()}
    >
      {messages.map((message) => (
        <Row key={message.id} to={paths.messages('received', message.id)} plate={message.plate}>
          <span className="grid min-w-0 flex-1">
            <span
              dir="auto"
              className={clsx(
                'leading-snug',
                message.is_read ? 'truncate text-ink-soft' : 'line-clamp-2 font-bold',
                !message.is_read && message.reason === 'someone_inside' && 'text-danger',
              )}
            >
              {messageSubject(message)}
            </span>
            <span className="flex flex-wrap items-center gap-x-2 text-sm text-ink-soft">
              {!message.is_read && <UnreadMark text={m.message_unread()} />}
              <RelativeTime iso={message.inserted_at} />
            </span>
          </span>
        </Row>
      ))}
    </Panel>
  )
}

/** Shows the vehicles registered last, with their status. */
export function LatestVehicles({ vehicles }: { vehicles: Dashboard['recent_vehicles'] }) {
  return (
    <Panel title={m.dashboard_latest_vehicles()} to={paths.vehicles()} empty={m.dashboard_no_vehicles()}>
      {vehicles.map((vehicle) => (
        <Row key={vehicle.id} to={paths.vehicles(vehicle.id)} plate={vehicle.plate} province={vehicle.province}>
          <span className="grid min-w-0 flex-1 gap-1">
            <span className="leading-snug font-bold">
              <VehicleName of={vehicle} />
            </span>
            <span className="flex flex-wrap gap-1.5">
              <VehicleStatusBadge status={vehicle.status} paused={vehicle.paused} />
            </span>
          </span>
        </Row>
      ))}
    </Panel>
  )
}

type PanelProps = {
  title: string
  badge?: ReactNode
  /** The page of all of them. */
  to: string
  /** Says what will be here. */
  empty: string
  children: ReactNode[]
}

/** Shows the latest few of something, and leads to all of them. */
function Panel({ title, badge, to, empty, children }: PanelProps) {
  const heading = useId()
  return (
    <section aria-labelledby={heading}>
      <Card className="h-full px-4! pt-1! pb-2! sm:px-5!">
        <div className="flex flex-wrap items-center gap-x-3">
          <h2 id={heading} className="text-lg font-bold">
            <Link to={to} className="flex min-h-12 items-center gap-1 hover:underline">
              {title}
              <ChevronRight aria-hidden="true" className="size-5 text-ink-soft" />
            </Link>
          </h2>
          {badge}
        </div>
        {children.length === 0 ? (
          <p className="max-w-prose pb-3 text-ink-soft">{empty}</p>
        ) : (
          <ul className="divide-y divide-line">{children}</ul>
        )}
      </Card>
    </section>
  )
}

type RowProps = { to: string; plate: string; province?: Province; children: ReactNode }

/** Shows one of the latest few: its plate, and what is to be said about it in two lines. */
function Row({ to, plate, province, children }: RowProps) {
  return (
    <li>
      <Link to={to} className="-mx-2 flex min-h-16 items-center gap-3 rounded-lg px-2 py-1.5 hover:bg-ink/5">
        <Plate plate={plate} province={province} size="sm" className="w-[min(5rem,25vw)]! shrink-0" />
        {children}
      </Link>
    </li>
  )
}
