import { URGENT_REASONS } from '#contract/messages.ts'
import type { Notification } from '#contract/notifications.ts'
import type { Locale } from '#contract/product.ts'
import type { BrowserPushSubscription } from '#contract/push.ts'
import { newId } from '../db/ids.ts'
import type { Db, Fragment } from '../db/pool.ts'
import { LEASE_DURATION_S } from '../jobs/lease-worker.ts'
import type { QuietHours } from '../quiet-hours.ts'
import { HOUR_S } from '../time.ts'
import { serviceOf } from './service-slots.ts'

/** Notifications are pushed in their first hour; older ones wait in the list of notifications. */
const MAX_AGE_S = HOUR_S

/**
 * A device leased to this worker; it may need pushes for the notifications after `pushed_number` up to `last_number`.
 */
export type DeviceLease = {
  session_id: string
  user_id: string
  subscription: BrowserPushSubscription
  /** Whose service pushes to it go through, by `serviceOf`. */
  service: string
  pushed_number: string
  last_number: string
  tries: number
  locale: Locale
  message_text: boolean
  /** The number from which on notifications were held back by quiet hours; null: none. */
  held_after: string | null
  /** Fencing token: only the worker that has it may record how a push ended. */
  token: string
} & QuietHours

type LeaseRow = Omit<DeviceLease, 'subscription' | 'token'> & { endpoint: string; p256dh: string; auth: string }

/** Which devices to lease: those of some users, those to try again (including those of a worker that died), or all. */
export type ClaimTarget = { of: 'users'; userIds: string[] } | { of: 'retries' } | { of: 'all' }

/** Returns the condition of devices that are due for a claim. */
function isDue(db: Db, claim: ClaimTarget) {
  // not parameters, so that the planner sees which index serves each of them
  const which =
    claim.of === 'users'
      ? db`s.user_id = any(${claim.userIds}::uuid[]) and s.tries = 0`
      : claim.of === 'retries'
        ? db`s.tries > 0`
        : db`s.tries = 0`
  return db`${which} and s.next_at <= now() and (c.last_number > s.pushed_number or s.held_until <= now())`
}

/**
 * Leases devices that were not notified of everything yet, except those of some services; no two workers get the same one.
 */
export async function leaseDevices(
  db: Db,
  claim: ClaimTarget,
  limit: number,
  fullServices: string[] = [],
): Promise<DeviceLease[]> {
  const token = newId()
  const rows = await db<LeaseRow[]>`
    with due as materialized (
      select s.session_id, c.last_number, ${serviceOf(db)} as service
      from push_subscriptions s
      join notification_counters c on c.user_id = s.user_id
      where ${isDue(db, claim)} and ${serviceOf(db)} <> all(${fullServices}::text[])
      order by s.next_at
      limit ${limit}
      for update of s skip locked
    ), claimed as (
      update push_subscriptions s
      set tries = s.tries + 1, next_at = now() + ${LEASE_DURATION_S} * interval '1 second', lease_token = ${token}
      from due
      where s.session_id = due.session_id
      returning s.*, due.last_number, due.service
    )
    select c.session_id, c.user_id, c.endpoint, c.p256dh, c.auth, c.service, c.pushed_number::text, c.last_number::text,
      c.tries, c.held_after::text, coalesce(p.locale, 'en') as locale, coalesce(p.push_message_text, false) as message_text,
      to_char(p.quiet_from, 'HH24:MI') as quiet_from, to_char(p.quiet_until, 'HH24:MI') as quiet_until,
      coalesce(p.time_zone, '') as time_zone
    from claimed c
    left join preferences p on p.user_id = c.user_id`
  return rows.map(({ endpoint, p256dh, auth, ...row }) => ({
    ...row,
    subscription: { endpoint, keys: { p256dh, auth } },
    token,
  }))
}

/** Lists the people whose devices a claim left out with these services. */
export const listWaitingUsers = (db: Db, claim: ClaimTarget, fullServices: string[], limit: number) =>
  db<{ user_id: string; service: string }[]>`
    select distinct s.user_id, ${serviceOf(db)} as service
    from push_subscriptions s
    join notification_counters c on c.user_id = s.user_id
    where ${isDue(db, claim)} and ${serviceOf(db)} = any(${fullServices}::text[])
    limit ${limit}`

/** Makes leases last for `LEASE_DURATION_S` from now on; a row that is being changed at this moment is left to the next renewal. */
export const renewPushLeases = async (db: Db, leases: DeviceLease[]): Promise<void> => {
  await db`
    update push_subscriptions set next_at = now() + ${LEASE_DURATION_S} * interval '1 second'
    where session_id in (
      select session_id from push_subscriptions
      where session_id = any(${leases.map(({ session_id }) => session_id)}::uuid[])
        and lease_token = any(${leases.map(({ token }) => token)}::uuid[])
      for update skip locked
    )`
}

/** A notification that needs a push, and how many there are in all. */
export type PendingNotification = Pick<Notification, 'id' | 'type' | 'data'> & { number: string; count: number }

/**
 * Lists the unread notifications that a device needs, oldest first: the new ones, and those that quiet hours held back; in
 * quiet hours the new ones that are urgent.
 */
export const listPendingNotifications = (db: Db, lease: DeviceLease, isQuiet: boolean, limit: number) =>
  db<PendingNotification[]>`
    select n.id, n.type, n.data, n.number::text, (count(*) over ())::int as count
    from notifications n
    left join messages m on m.id = n.message_id
    cross join lateral (select coalesce(m.reason = any(${URGENT_REASONS as string[]}::text[]), false) as urgent) reason
    where n.user_id = ${lease.user_id} and n.number <= ${lease.last_number}::bigint and not n.is_read
      and n.number > least(${lease.pushed_number}::bigint, ${isQuiet ? null : lease.held_after}::bigint)
      and case
        when n.number <= ${lease.pushed_number}::bigint then not urgent
        else n.created_at > now() - ${MAX_AGE_S} * interval '1 second' and (urgent or ${!isQuiet})
      end
    order by n.number
    limit ${limit}`

/** Changes a device while this worker has its lease. Returns false when it was lost. */
const updateLeased = async (db: Db, { session_id, token }: DeviceLease, change: Fragment): Promise<boolean> => {
  const { count } = await db`
    update push_subscriptions set ${change} where session_id = ${session_id} and lease_token = ${token}`
  return count === 1
}

/** Records that a device has been sent everything up to a number; the lease stays. */
export const recordPushed = (db: Db, lease: DeviceLease, number: string, isQuiet: boolean): Promise<boolean> =>
  updateLeased(
    db,
    lease,
    db`pushed_number = greatest(pushed_number, ${number}::bigint),
      held_after = case
        when ${isQuiet} then held_after
        when held_after is not null then greatest(held_after, ${number}::bigint)
      end`,
  )

/** Postpones what a device was not sent yet until quiet hours end, before anything urgent is pushed to it. */
export const postponePushes = (db: Db, lease: DeviceLease, delayMs: number): Promise<boolean> =>
  updateLeased(
    db,
    lease,
    db`held_after = coalesce(held_after, pushed_number), held_until = now() + ${delayMs} * interval '1 millisecond'`,
  )

/** Ends a lease whose pushes are all done. In quiet hours the others stay held. */
export const markDone = (db: Db, lease: DeviceLease, isQuiet: boolean): Promise<boolean> =>
  updateLeased(
    db,
    lease,
    db`pushed_number = ${lease.last_number}::bigint, tries = 0, next_at = now(), lease_token = null,
      held_after = case when ${isQuiet} then held_after end, held_until = case when ${isQuiet} then held_until end`,
  )

/** Ends a lease and puts off the pushes that are left. */
export const markPushesDeferred = (db: Db, lease: DeviceLease, delayMs: number): Promise<boolean> =>
  updateLeased(db, lease, db`next_at = now() + ${delayMs} * interval '1 millisecond', lease_token = null`)
