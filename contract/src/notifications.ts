// chunk: signed-in

import * as z from 'zod/mini'
import { endpoint, IdParam, PageParams, pageOf } from './endpoint.ts'
import { VehicleRole } from './vehicle-role.ts'

/** The types of notifications; clients show others without a text (requirements §2). */
export const NotificationType = z.enum([
  'message_received',
  'message_replied',
  'message_answered',
  'message_nudged',
  'vehicle_approved',
  'vehicle_rejected',
  'vehicle_deleted',
  // somebody drives a vehicle too from now on (decision vehicle-people)
  'driver_joined',
  // somebody else registered the plate (decision plate-disputes)
  'plate_disputed',
  // the owner asks a witness for a contact, and the witness has answered (decision collision-messages)
  'witness_asked',
  'witness_answered',
])
export type NotificationType = z.infer<typeof NotificationType>

export const NotificationData = z.object({
  plate: z.optional(z.string()),
  message_id: z.optional(z.uuid()),
  vehicle_id: z.optional(z.uuid()),
  /** Of `message_answered`: who of the vehicle replied. */
  answered_by: z.optional(VehicleRole),
})
export type NotificationData = z.infer<typeof NotificationData>

export const Notification = z.object({
  id: z.uuid(),
  /** A `NotificationType`; any string is allowed, so that an older page survives a newer server. */
  type: z.string(),
  data: NotificationData,
  is_read: z.boolean(),
  created_at: z.iso.datetime(),
})
export type Notification = z.infer<typeof Notification>

export const listNotifications = endpoint({
  method: 'GET',
  path: '/api/notifications',
  audience: 'user',
  summary: 'The own notifications, newest first.',
  input: PageParams,
  output: pageOf(Notification),
})

export const getUnreadCount = endpoint({
  method: 'GET',
  path: '/api/notifications/unread-count',
  audience: 'user',
  summary: 'How many own notifications are unread.',
  output: z.object({ count: z.number() }),
})

export const markNotification = endpoint({
  method: 'PATCH',
  path: '/api/notifications/:id',
  audience: 'user',
  summary: 'Marks a notification read or unread.',
  input: z.extend(IdParam, { is_read: z.boolean() }),
  output: Notification,
})

export const markAllRead = endpoint({
  method: 'POST',
  path: '/api/notifications/read-all',
  audience: 'user',
  summary: 'Marks all own notifications read.',
})

/**
 * The stream of server-sent events (decision live-updates): `notification` carries a `Notification` and an id to resume
 * from; `unread` carries `{count}` and as id the number to resume from; `changed` carries `{}` and no id: something that is
 * shown was taken away, or answered elsewhere. A process that is about to stop sends a short `retry` and ends the stream: the next connection reaches
 * another one. A comment line is sent as a heartbeat every `LIVE_HEARTBEAT_S` seconds.
 */
export const openLiveStream = endpoint({
  method: 'GET',
  path: '/api/live',
  audience: 'user',
  summary: 'A stream of server-sent events: notification, unread and changed.',
  headers: { 'Last-Event-ID': 'the id of the last event received: the stream goes on after it' },
  output: z.string(),
  responseType: 'text/event-stream',
})

export const LIVE_HEARTBEAT_S = 15
