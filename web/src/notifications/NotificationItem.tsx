import clsx from 'clsx'
import { BadgeCheck, Bell, CircleAlert, CircleX, Eye, type LucideIcon, Mail, Reply, Trash2, Users } from 'lucide-react'
import type { Notification, NotificationData, NotificationType } from '#contract/notifications.ts'
import { paths } from '#contract/paths.ts'
import { Link } from '~/lib/i18n/i18n'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { DateTime } from '~/ui/signed-in/RelativeTime'

type Props = { notification: Notification; onMark: (is_read: boolean) => void }

/** Shows one notification of the list. All of it is a link, except the button. */
export function NotificationItem({ notification, onMark }: Props) {
  const { is_read, created_at } = notification
  const { icon: Icon, text, to } = notificationContent(notification)
  const textClass = clsx('text-pretty wrap-anywhere', is_read ? 'font-semibold' : 'font-bold')
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
        {to ? (
          <Link
            to={to}
            onClick={() => !is_read && onMark(true)}
            className={clsx(textClass, 'outline-none after:absolute after:inset-0 hover:underline')}
          >
            {text}
          </Link>
        ) : (
          text && <p className={textClass}>{text}</p>
        )}
        <p className="flex flex-wrap items-center gap-x-2 text-sm text-ink-soft">
          <span className="min-[18rem]:whitespace-nowrap">
            <DateTime iso={created_at} />
          </span>
          {!is_read && (
            <span className="inline-flex items-center gap-1.5 font-bold text-ink">
              <span aria-hidden="true" className="size-2 rounded-full bg-danger-fill forced-color-adjust-none" />
              {m.notifications_unread()}
            </span>
          )}
        </p>
      </div>
      <Button
        variant="ghost"
        className="relative px-3! text-sm! font-semibold! text-ink-soft! max-sm:col-start-2 max-sm:-ml-3 max-sm:justify-self-start"
        onClick={() => onMark(!is_read)}
      >
        {is_read ? m.notifications_mark_unread() : m.notifications_mark_read()}
        {text && <span className="sr-only">{m.notifications_mark_which({ text })}</span>}
      </Button>
    </li>
  )
}

type NotificationContent = { icon: LucideIcon; text: string; to?: string }

const contentOfType: Record<NotificationType, (data: NotificationData) => NotificationContent> = {
  message_received: ({ plate = '', message_id }) => ({
    icon: Mail,
    text: m.notification_message_received({ plate }),
    to: paths.messages('received', message_id),
  }),
  message_replied: ({ message_id }) => ({
    icon: Reply,
    text: m.notification_message_replied(),
    to: paths.messages('sent', message_id),
  }),
  message_answered: ({ plate = '', message_id }) => ({
    icon: Reply,
    text: m.notification_message_answered({ plate }),
    to: paths.messages('received', message_id),
  }),
  message_nudged: ({ plate = '', message_id }) => ({
    icon: Mail,
    text: m.notification_message_nudged({ plate }),
    to: paths.messages('received', message_id),
  }),
  vehicle_approved: ({ plate = '', vehicle_id }) => ({
    icon: BadgeCheck,
    text: m.notification_vehicle_approved({ plate }),
    to: paths.vehicles(vehicle_id),
  }),
  vehicle_rejected: ({ plate = '', vehicle_id }) => ({
    icon: CircleX,
    text: m.notification_vehicle_rejected({ plate }),
    to: paths.vehicles(vehicle_id),
  }),
  vehicle_deleted: ({ plate = '', vehicle_id }) => ({
    icon: Trash2,
    text: m.notification_vehicle_deleted({ plate }),
    to: paths.vehicles(vehicle_id),
  }),
  driver_joined: ({ plate = '', vehicle_id }) => ({
    icon: Users,
    text: m.notification_driver_joined({ plate }),
    to: paths.vehicles(vehicle_id),
  }),
  plate_disputed: ({ plate = '', vehicle_id }) => ({
    icon: CircleAlert,
    text: m.notification_plate_disputed({ plate }),
    to: vehicle_id ? paths.vehicleDispute(vehicle_id) : paths.vehicles(),
  }),
  witness_asked: ({ plate = '', message_id }) => ({
    icon: Eye,
    text: m.notification_witness_asked({ plate }),
    to: paths.messages('sent', message_id),
  }),
  witness_answered: ({ plate = '', message_id }) => ({
    icon: Eye,
    text: m.notification_witness_answered({ plate }),
    to: paths.messages('received', message_id),
  }),
}

/** Returns icon, text and target of a notification (requirements §2); one of an unknown type has neither text nor target. */
function notificationContent({ type, data }: Pick<Notification, 'type' | 'data'>): NotificationContent {
  return Object.hasOwn(contentOfType, type) ? contentOfType[type as NotificationType](data) : { icon: Bell, text: '' }
}
