import type { Notification } from '#contract/notifications.ts'
import { LAST_NUMBER } from '../db/keyset.ts'
import type { Db } from '../db/pool.ts'

/** A notification with its number, the id of its live event. */
export type NumberedNotification = Notification & { number: string }

/** Newest first; `before` is a notification's number. */
export const listNotifications = (db: Db, userId: string, before: string | null, limit: number) =>
  db<NumberedNotification[]>`
    select id, number::text, type, data, is_read, created_at
    from notifications
    where user_id = ${userId} and number < coalesce(${before}, ${LAST_NUMBER})::bigint
    order by notifications.number desc -- the bare name would be the text of the select list: '9' before '10'
    limit ${limit}`

/** What came after a number, oldest first. */
export const notificationsAfter = (db: Db, userId: string, after: string, limit: number) =>
  db<NumberedNotification[]>`
    select id, number::text, type, data, is_read, created_at
    from notifications
    where user_id = ${userId} and number > ${after}::bigint
    order by notifications.number
    limit ${limit}`

/** The number of the newest notification ever written for the user; '0' before the first. */
export const lastNumber = async (db: Db, userId: string): Promise<string> => {
  const [row] = await db<{ last_number: string }[]>`
    select last_number::text from notification_counters where user_id = ${userId}`
  return row?.last_number ?? '0'
}

export const countUnread = async (db: Db, userId: string): Promise<number> => {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from notifications where user_id = ${userId} and not is_read`
  return row!.count
}

/** The notification after the change, or null when there is none of that id for this user. */
export const setRead = async (db: Db, id: string, userId: string, isRead: boolean): Promise<Notification | null> => {
  const [row] = await db<Notification[]>`
    update notifications set is_read = ${isRead}
    where id = ${id} and user_id = ${userId}
    returning id, type, data, is_read, created_at`
  return row ?? null
}

export const setAllRead = async (db: Db, userId: string): Promise<void> => {
  await db`update notifications set is_read = true where user_id = ${userId} and not is_read`
}
