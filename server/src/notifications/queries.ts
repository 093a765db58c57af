import type { Notification } from '#contract/notifications.ts'
import { MAX_BIGINT } from '../db/pagination.ts'
import type { Db } from '../db/pool.ts'

/** A notification with its number, which is the id of its live event. */
export type NumberedNotification = Notification & { number: string }

/** Lists notifications before a number, newest first. */
export const listNotifications = (db: Db, userId: string, before: string | null, limit: number) =>
  db<NumberedNotification[]>`
    select id, number::text, type, data, is_read, created_at
    from notifications
    where user_id = ${userId} and number < coalesce(${before}, ${MAX_BIGINT})::bigint
    order by notifications.number desc -- the bare name would be the text of the select list: '9' before '10'
    limit ${limit}`

/** Lists notifications after a number, oldest first. */
export const listNotificationsAfter = (db: Db, userId: string, after: string, limit: number) =>
  db<NumberedNotification[]>`
    select id, number::text, type, data, is_read, created_at
    from notifications
    where user_id = ${userId} and number > ${after}::bigint
    order by notifications.number
    limit ${limit}`

/** The number of a user's newest notification ever ('0' before the first), and how many are unread. */
export type NotificationState = { last_number: string; unread: number }

/** Reads the states of several users, in the order of their ids as given, without any lock. */
export const findNotificationStates = (db: Db, userIds: readonly string[]) =>
  // subqueries instead of joins: a plan made while the tables are small has to serve large ones too
  db<NotificationState[]>`
    select
      coalesce((select last_number from notification_counters where user_id = u.id), 0)::text as last_number,
      (select count(*) from notifications where user_id = u.id and not is_read)::int as unread
    from unnest(${userIds as string[]}::uuid[]) with ordinality as u (id, ord)
    order by u.ord`

export const countUnread = async (db: Db, userId: string): Promise<number> => {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from notifications where user_id = ${userId} and not is_read`
  return row!.count
}

/** Marks a notification and returns it, or null when this user has none with this id. */
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

/** Makes every notification for the user wait until the transaction ends, even the very first one. */
export const lockNotificationCounter = async (db: Db, userId: string): Promise<void> => {
  await db`
    insert into notification_counters (user_id, last_number) values (${userId}, 0)
    on conflict (user_id) do update set last_number = notification_counters.last_number`
}

/**
 * Marks the notifications about a message; as unread, only the one that it has come. Returns whether that changed anything.
 */
export const markMessageNotification = async (
  db: Db,
  messageId: string,
  userId: string,
  isRead: boolean,
): Promise<boolean> => {
  const { count } = await db`
    update notifications set is_read = ${isRead}
    where message_id = ${messageId} and user_id = ${userId} and is_read <> ${isRead}
      and (type = 'message_received' or ${isRead})`
  return count > 0
}
