import type { Notification } from '#contract/notifications.ts'
import type { Locale } from '#contract/product.ts'
import type { BrowserPushSubscription } from '#contract/push.ts'
import { newId } from '../db/ids.ts'
import type { Db } from '../db/pool.ts'
import { HOUR_S, MINUTE_S } from '../time.ts'

/** Long enough for several deliveries that all time out. */
const LEASE_DURATION_S = MINUTE_S
/** Notifications are pushed in their first hour; older ones wait in the list of notifications. */
const MAX_AGE_S = HOUR_S

/**
 * A device leased to this worker; it may need pushes for the notifications after `pushed_number` up to `last_number`.
 */
export type DeviceLease = {
  session_id: string
  user_id: string
  subscription: BrowserPushSubscription
  pushed_number: string
  last_number: string
  tries: number
  locale: Locale
  message_text: boolean
  /** Fencing token: only the worker that has it may record how a push ended. */
  token: string
}

type LeaseRow = Omit<DeviceLease, 'subscription' | 'token'> & { endpoint: string; p256dh: string; auth: string }

/** Which devices to lease: those of some users, those to try again (including those of a worker that died), or all. */
export type ClaimTarget = { of: 'users'; userIds: string[] } | { of: 'retries' } | { of: 'all' }

/** Leases devices that were not notified of everything yet; no two workers get the same one. */
export async function leaseDevices(db: Db, claim: ClaimTarget, limit: number): Promise<DeviceLease[]> {
  const token = newId()
  // the conditions are not parameters, so that the planner sees which index serves each of them
  const which =
    claim.of === 'users'
      ? db`s.user_id = any(${claim.userIds}::uuid[]) and s.tries = 0`
      : claim.of === 'retries'
        ? db`s.tries > 0`
        : db`s.tries = 0`
  const rows = await db<LeaseRow[]>`
    with due as materialized (
      select s.session_id, c.last_number
      from push_subscriptions s
      join notification_counters c on c.user_id = s.user_id
      where ${which} and s.next_at <= now() and c.last_number > s.pushed_number
      order by s.next_at
      limit ${limit}
      for update of s skip locked
    ), claimed as (
      update push_subscriptions s
      set tries = s.tries + 1, next_at = now() + ${LEASE_DURATION_S} * interval '1 second', lease_token = ${token}
      from due
      where s.session_id = due.session_id
      returning s.*, due.last_number
    )
    select c.session_id, c.user_id, c.endpoint, c.p256dh, c.auth, c.pushed_number::text, c.last_number::text, c.tries,
      coalesce(p.locale, 'en') as locale, coalesce(w.message_text, false) as message_text
    from claimed c
    left join preferences p on p.user_id = c.user_id
    left join push_preferences w on w.user_id = c.user_id`
  return rows.map(({ endpoint, p256dh, auth, ...row }) => ({
    ...row,
    subscription: { endpoint, keys: { p256dh, auth } },
    token,
  }))
}

/** A notification that needs a push, and how many there are in all. */
export type PendingNotification = Pick<Notification, 'id' | 'type' | 'data'> & { number: string; count: number }

/** Lists the new and unread notifications for a device, oldest first; none while the account is suspended. */
export const listPendingNotifications = (db: Db, lease: DeviceLease, limit: number) =>
  db<PendingNotification[]>`
    select n.id, n.type, n.data, n.number::text, (count(*) over ())::int as count
    from notifications n
    join auth.users u on u.id = n.user_id
    where n.user_id = ${lease.user_id} and n.number > ${lease.pushed_number}::bigint
      and n.number <= ${lease.last_number}::bigint and not n.is_read
      and n.created_at > now() - ${MAX_AGE_S} * interval '1 second'
      and (u.banned_until is null or u.banned_until <= now())
    order by n.number
    limit ${limit}`

const leasedSubscription = (db: Db, { session_id, token }: DeviceLease) =>
  db`session_id = ${session_id} and lease_token = ${token}`

/** Records that a device has been sent everything up to a number; the lease stays. Returns false when it was lost. */
export const recordPushed = async (db: Db, lease: DeviceLease, number: string): Promise<boolean> => {
  const { count } = await db`
    update push_subscriptions set pushed_number = ${number}::bigint where ${leasedSubscription(db, lease)}`
  return count === 1
}

/** Ends a lease whose pushes are all done. */
export const markDone = async (db: Db, lease: DeviceLease): Promise<void> => {
  await db`
    update push_subscriptions
    set pushed_number = ${lease.last_number}::bigint, tries = 0, next_at = now(), lease_token = null
    where ${leasedSubscription(db, lease)}`
}

/** Ends a lease and puts off the pushes that are left. */
export const markDeferred = async (db: Db, lease: DeviceLease, delayMs: number): Promise<void> => {
  await db`
    update push_subscriptions
    set next_at = now() + ${delayMs} * interval '1 millisecond', lease_token = null
    where ${leasedSubscription(db, lease)}`
}
