import type { Notification } from '#contract/notifications.ts'
import { MAX_BIGINT } from '../db/pagination.ts'
import type { Db } from '../db/pool.ts'

/** A notification with its number, the id of its live event. */
export type NumberedNotification = Notification & { number: string }

/** Newest first; `before` is a notification's number. */
export const listNotifications = (db: Db, userId: string, before: string | null, limit: number) =>
  db<NumberedNotification[]>`
    select id, number::text, type, data, is_read, created_at
    from notifications
    where user_id = ${userId} and number < coalesce(${before}, ${MAX_BIGINT})::bigint
    order by notifications.number desc -- the bare name would be the text of the select list: '9' before '10'
    limit ${limit}`

/** What came after a number, oldest first. */
export const listNotificationsAfter = (db: Db, userId: string, after: string, limit: number) =>
  db<NumberedNotification[]>`
    select id, number::text, type, data, is_read, created_at
    from notifications
    where user_id = ${userId} and number > ${after}::bigint
    order by notifications.number
    limit ${limit}`

/** Where somebody's notifications stand: the number of the newest ever written ('0' before the first), how many are unread. */
export type NotificationState = { last_number: string; unread: number }

/** The standings of several people at once, in the order asked; nobody locks anything. */
export const findNotificationStates = (db: Db, userIds: readonly string[]) =>
  // look-ups and no joins: a plan made while the tables are small must do for large ones
  db<NotificationState[]>`
    select
      coalesce((select last_number from notification_counters where user_id = u.id), 0)::text as last_number,
      (select count(*) from notifications where user_id = u.id and not is_read)::int as unread
    from unnest(${userIds as string[]}::uuid[]) with ordinality as u (id, place)
    order by u.place`

export const countUnread = async (db: Db, userId: string): Promise<number> => {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from notifications where user_id = ${userId} and not is_read`
  return row!.count
}

/** The notification after the change, or null when there is none of that id for this user. */
export const setNotificationRead = async (
  db: Db,
  id: string,
  userId: string,
  isRead: boolean,
): Promise<Notification | null> => {
  const [row] = await db<Notification[]>`
    update notifications set is_read = ${isRead}
    where id = ${id} and user_id = ${userId}
    returning id, type, data, is_read, created_at`
  return row ?? null
}

export const setAllNotificationsRead = async (db: Db, userId: string): Promise<void> => {
  await db`update notifications set is_read = true where user_id = ${userId} and not is_read`
}

/** Lets every notification for the user wait until the transaction ends, the first one ever included. */
export const lockNotificationCounter = async (db: Db, userId: string): Promise<void> => {
  await db`
    insert into notification_counters (user_id, last_number) values (${userId}, 0)
    on conflict (user_id) do update set last_number = notification_counters.last_number`
}
