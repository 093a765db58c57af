import type { NotificationData, NotificationType } from '#contract/notifications.ts'
import { newId } from '../db/ids.ts'
import type { Db } from '../db/pool.ts'

export type NewNotification = {
  userId: string
  type: NotificationType
  data: NotificationData
  /** The message it is about. A user gets one notification of a type about it, which is deleted with the message. */
  messageId?: string
}

/**
 * Inserts notifications in the transaction that causes them. After the commit, call `live.publish` for their users.
 *
 * The counter rows are locked in the order of the users' ids, so that two writers cannot deadlock.
 */
export async function notify(db: Db, items: NewNotification[]): Promise<void> {
  if (items.length === 0) return
  await db`
    with input as (
      select * from unnest(
        ${items.map(() => newId())}::uuid[],
        ${items.map((n) => n.userId)}::uuid[],
        ${items.map((n) => n.type)}::text[],
        ${items.map((n) => JSON.stringify(n.data))}::text[],
        ${items.map((n) => n.messageId ?? null)}::uuid[]
      ) with ordinality as i (id, user_id, type, data, message_id, ord)
    ), counted as (
      insert into notification_counters (user_id, last_number)
      select user_id, count(*) from input group by user_id order by user_id
      on conflict (user_id) do update set last_number = notification_counters.last_number + excluded.last_number
      returning user_id, last_number
    )
    insert into notifications (id, user_id, number, type, data, message_id)
    select i.id, i.user_id, c.last_number + 1 - row_number() over (partition by i.user_id order by i.ord desc),
      i.type, i.data::jsonb, i.message_id
    from input i
    join counted c using (user_id)
    order by i.ord
    on conflict (message_id, user_id, type) do nothing`
}

/** Deletes the notifications of a type about a message. */
export const deleteNotifications = async (tx: Db, messageId: string, type: NotificationType): Promise<void> => {
  await tx`delete from notifications where message_id = ${messageId} and type = ${type}`
}
