import type { BrowserPushSubscription } from '#contract/push.ts'
import type { Db } from '../db/pool.ts'

/** Keeps a session from ending until the transaction ends. Returns false when it has already ended. */
export const lockSession = async (db: Db, id: string, userId: string): Promise<boolean> => {
  const { count } = await db`select from auth.sessions where id = ${id} and user_id = ${userId} for key share`
  return count === 1
}

/**
 * Gives the device of a session the new address that its browser got from its push service; it keeps what it was sent, so
 * that nothing is pushed twice or left out. What is being pushed to the former address counts as not sent.
 */
export const replaceEndpoint = async (
  db: Db,
  sessionId: string,
  userId: string,
  { endpoint, keys }: BrowserPushSubscription,
): Promise<void> => {
  const former = () => db`session_id = ${sessionId} and user_id = ${userId} and endpoint <> ${endpoint}`
  // the address may be known already: from an earlier session in the same browser
  const [taken] = await db<{ pushed_number: string | null }[]>`
    delete from push_subscriptions
    where endpoint = ${endpoint} and exists (select from push_subscriptions where ${former()})
    returning case when user_id = ${userId} then pushed_number::text end as pushed_number`
  await db`
    update push_subscriptions
    set endpoint = ${endpoint}, p256dh = ${keys.p256dh}, auth = ${keys.auth},
      pushed_number = greatest(pushed_number, ${taken?.pushed_number ?? null}::bigint), next_at = now(), lease_token = null
    where ${former()}`
}

/** Adds the device of a session, for notifications from now on. A device that is already there keeps its state. */
export const upsertSubscription = async (
  db: Db,
  sessionId: string,
  userId: string,
  device: BrowserPushSubscription,
): Promise<void> => {
  const { endpoint, keys } = device
  await db`
    insert into push_subscriptions as p (session_id, user_id, endpoint, p256dh, auth, pushed_number)
    values (${sessionId}, ${userId}, ${endpoint}, ${keys.p256dh}, ${keys.auth},
      coalesce((select last_number from notification_counters where user_id = ${userId}), 0))
    on conflict (endpoint) do update set
      session_id = excluded.session_id, user_id = excluded.user_id, p256dh = excluded.p256dh, auth = excluded.auth,
      created_at = case when p.session_id = excluded.session_id then p.created_at else excluded.created_at end,
      -- when it was another user's, nothing that waited for them is sent
      pushed_number = case when p.user_id = excluded.user_id then p.pushed_number else excluded.pushed_number end,
      tries = case when p.user_id = excluded.user_id then p.tries else 0 end,
      next_at = case when p.user_id = excluded.user_id then p.next_at else now() end,
      lease_token = case when p.user_id = excluded.user_id then p.lease_token end`
}

/** Deletes the oldest devices of a user beyond a number, never the session's own. */
export const deleteOldestSubscriptions = async (
  db: Db,
  sessionId: string,
  userId: string,
  max: number,
): Promise<void> => {
  await db`
    delete from push_subscriptions where session_id in (
      select session_id from push_subscriptions
      where user_id = ${userId} and session_id <> ${sessionId}
      order by created_at desc
      offset ${max - 1}
    )`
}

/** Deletes a device that its push service no longer knows, unless it has a new address by now. */
export const deleteGoneSubscription = async (db: Db, sessionId: string, endpoint: string): Promise<void> => {
  await db`delete from push_subscriptions where session_id = ${sessionId} and endpoint = ${endpoint}`
}

/** Deletes a device. Returns false when this user has no such device. */
export const deleteSubscription = async (db: Db, userId: string, endpoint: string): Promise<boolean> => {
  const { count } = await db`delete from push_subscriptions where user_id = ${userId} and endpoint = ${endpoint}`
  return count === 1
}

/** Finds the device of a session, and whose it is; null: it has no notifications. */
export const findSubscription = async (
  db: Db,
  sessionId: string,
): Promise<{ userId: string; device: BrowserPushSubscription } | null> => {
  const [row] = await db<{ user_id: string; endpoint: string; p256dh: string; auth: string }[]>`
    select user_id, endpoint, p256dh, auth from push_subscriptions where session_id = ${sessionId}`
  return row
    ? { userId: row.user_id, device: { endpoint: row.endpoint, keys: { p256dh: row.p256dh, auth: row.auth } } }
    : null
}

/** Lists which sessions have notifications, and since when, for the export. */
export const listPushSubscriptions = (db: Db, userId: string) =>
  db<{ session_id: string; created_at: string }[]>`
    select session_id, created_at from push_subscriptions where user_id = ${userId} order by created_at desc`
