import { BadgeCheck, Bell, CircleX, type LucideIcon, Mail, Reply, Trash2 } from 'lucide-react'
import type { Notification, NotificationData, NotificationType } from '#contract/notifications.ts'
import { paths } from '#contract/paths.ts'
import { m } from '~/paraglide/messages'

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
}

/** What a notification says and where it leads (requirements §2); one of an unknown type says nothing and leads nowhere. */
export function notificationContent({ type, data }: Pick<Notification, 'type' | 'data'>): NotificationContent {
  return Object.hasOwn(contentOfType, type) ? contentOfType[type as NotificationType](data) : { icon: Bell, text: '' }
}
