import clsx from 'clsx'
import { BadgeCheck, Bell, CircleAlert, CircleX, Eye, type LucideIcon, Mail, Reply, Trash2, Users } from 'lucide-react'
import type { Notification, NotificationData, NotificationType } from '#contract/notifications.ts'
import { paths } from '#contract/paths.ts'
import { Link } from '~/lib/i18n/i18n'
import { verbatim } from '~/lib/i18n/verbatim'
import { m } from '~/paraglide/messages'
import { UnreadMark } from '~/ui/Badge'
import { Button } from '~/ui/Button'
import { DateTime } from '~/ui/signed-in/RelativeTime'

type Props = { notification: Notification; onMark: (is_read: boolean) => void }

/** Shows one notification of the list. All of it is a link, except the button. */
export function NotificationItem({ notification, onMark }: Props) {
  const { type, data, is_read, created_at } = notification
  // one of an unknown type has neither text nor target
  const [Icon, textOf, target] = CONTENTS[type as NotificationType] ?? [Bell]
  const text = textOf?.({ ...data, plate: data.plate ?? '' })
  return (
    <li
      className={clsx(
        'relative grid grid-cols-[auto_1fr] items-center gap-x-3 rounded-xl border border-l-6 p-3 max-sm:pb-1 sm:grid-cols-[auto_1fr_auto] sm:gap-x-4 sm:pl-4',
        'has-[a:focus-visible]:outline-3 has-[a:focus-visible]:outline-offset-2 has-[a:focus-visible]:outline-[light-dark(#1d5540,#ffcf70)]',
        is_read
          ? 'border-line border-l-line-strong bg-paper text-ink-soft'
          : 'border-line border-l-signal bg-surface shadow-card',
      )}
    >
      <span
        className={clsx(
          'grid size-10 shrink-0 place-items-center rounded-full',
          is_read ? 'bg-sunken' : 'bg-pine-soft text-pine',
        )}
      >
        <Icon aria-hidden="true" className="size-5" />
      </span>
      <div className="grid min-w-0 gap-0.5">
        {target && (
          <Link
            to={target(data)}
            onClick={() => !is_read && onMark(true)}
            className={clsx(
              'text-pretty outline-none after:absolute after:inset-0 hover:underline',
              is_read ? 'font-semibold' : 'font-bold',
            )}
          >
            {verbatim(text ?? '', data.plate ?? '')}
          </Link>
        )}
        <p className="flex flex-wrap items-center gap-x-2 text-sm text-ink-soft">
          <span className="min-[18rem]:whitespace-nowrap">
            <DateTime iso={created_at} />
          </span>
          {!is_read && <UnreadMark text={m.notifications_unread()} />}
        </p>
      </div>
      <Button
        variant="ghost"
        className="relative px-3! text-sm! font-semibold! text-ink-soft! max-sm:col-start-2 max-sm:-ml-3 max-sm:justify-self-start"
        onClick={() => onMark(!is_read)}
      >
        {is_read ? m.notifications_mark_unread() : m.notifications_mark_read()}
        {text && <span className="sr-only">{verbatim(m.notifications_mark_which({ text }), data.plate ?? '')}</span>}
      </Button>
    </li>
  )
}

type Target = (data: NotificationData) => string

const received: Target = ({ message_id }) => paths.messages('received', message_id)
const sent: Target = ({ message_id }) => paths.messages('sent', message_id)
const vehicle: Target = ({ vehicle_id }) => paths.vehicles(vehicle_id)
const dispute: Target = ({ vehicle_id }) => (vehicle_id ? paths.vehicleDispute(vehicle_id) : paths.vehicles())

type Content = [icon: LucideIcon, text: (data: NotificationData & { plate: string }) => string, target: Target]

/** What each notification shows, and where it leads (requirements §2). */
const CONTENTS: Record<NotificationType, Content> = {
  message_received: [Mail, m.notification_message_received, received],
  message_replied: [Reply, m.notification_message_replied, sent],
  message_answered: [
    Reply,
    ({ plate, answered_by }) =>
      answered_by === 'driver' ? m.notification_driver_answered({ plate }) : m.notification_owner_answered({ plate }),
    received,
  ],
  message_nudged: [Mail, m.notification_message_nudged, received],
  vehicle_approved: [BadgeCheck, m.notification_vehicle_approved, vehicle],
  vehicle_rejected: [CircleX, m.notification_vehicle_rejected, vehicle],
  vehicle_deleted: [Trash2, m.notification_vehicle_deleted, vehicle],
  driver_joined: [Users, m.notification_driver_joined, vehicle],
  plate_disputed: [CircleAlert, m.notification_plate_disputed, dispute],
  witness_asked: [Eye, m.notification_witness_asked, sent],
  witness_answered: [Eye, m.notification_witness_answered, received],
}
