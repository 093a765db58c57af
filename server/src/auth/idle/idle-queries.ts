import type { Db } from '../../db/pool.ts'
import { RETENTION } from '../../retention.ts'

/** After so many months without a use a person is warned … */
const WARN_AFTER = '23 months'
/** … and the account ends no sooner than so many days after the warning left. */
export const WARNING_DAYS = 28
/** A longer pause between two sweeps makes earlier warnings void. */
const LONGEST_PAUSE = '6 hours'

/**
 * Matches accounts `u` that may end when nobody uses them: confirmed ones (the others end after a week), no admin's, and none
 * that something still waits for: a dispute, a report by or about the person, or an appeal. A suspension keeps no account: it is
 * of the person, whom it outlives.
 */
const mayEnd = (db: Db) => db`(
  u.email_confirmed_at is not null and not u.is_admin
  and not exists (
    select from vehicles v join plate_disputes d on v.id in (d.incumbent_vehicle_id, d.challenger_vehicle_id)
    where v.user_id = u.id)
  and not exists (
    select from subjects p join report_cases c on c.subject_id = p.id
    where p.person_hash = u.person_hash and c.state = 'open')
  and not exists (
    select from reports r join report_cases c on c.id = r.case_id
    where r.reporter_id = u.id and c.state = 'open')
  and not exists (
    select from subjects p join sanctions s on s.subject_id = p.id join appeals a on a.sanction_id = s.id
    where p.person_hash = u.person_hash and a.decided_at is null))`

/** Matches uses `a` with a watch `w` that have expired: unused for so long, and warned of it for long enough. */
const isExpired = (db: Db) => db`(
  a.used_at < now() - ${RETENTION.idleAccounts.period}::interval
  and a.warned_at > a.used_at and a.warned_at > w.since
  -- the day that the warning names is over everywhere
  and greatest(a.used_at + ${RETENTION.idleAccounts.period}::interval, a.warned_at + make_interval(days => ${WARNING_DAYS}))
    < now() - interval '1 day')`

/**
 * Records a sweep of the job, and which warnings left. After a pause, or when the clock went back, earlier warnings are void; times
 * that are still to come are corrected.
 */
export const recordIdleSweep = async (tx: Db): Promise<void> => {
  const [earlier] = await tx<{ is_clock_back: boolean }[]>`
    select seen_at > now() + interval '1 minute' as is_clock_back from auth.idle_watch for update`
  if (earlier?.is_clock_back) {
    await tx`
      update auth.account_uses
      set used_at = least(used_at, now()), warning_id = null, warning_queued_at = null, warned_at = null
      where used_at > now() or warning_queued_at > now() or warned_at > now()`
  }
  await tx`
    insert into auth.idle_watch as w (seen_at, since) values (now(), now())
    on conflict (only_row) do update set
      since = case
        when w.seen_at between now() - ${LONGEST_PAUSE}::interval and now() + interval '1 minute' then w.since else now()
      end,
      seen_at = now()`
  await tx`
    update auth.account_uses a set warned_at = o.sent_at
    from outbox o
    where a.warning_id is not null and a.warned_at is null
      and o.ref_id = a.warning_id and o.kind = 'idle_warning' and o.recipient_id = a.user_id and o.sent_at is not null`
}

/**
 * Takes the next accounts to warn, the longest unused first, under a warning with this id. A warning that did not leave, or that
 * became void, is given again after 28 days. The watch is locked, so that of several processes one does this.
 */
export const takeAccountsToWarn = async (tx: Db, warningId: string, limit: number): Promise<string[]> => {
  await tx`select from auth.idle_watch for update`
  const rows = await tx<{ user_id: string }[]>`
    update auth.account_uses a
    set warning_id = ${warningId}, warning_queued_at = now(), warned_at = null
    from (
      select a.user_id from auth.account_uses a join auth.users u on u.id = a.user_id cross join auth.idle_watch w
      where a.used_at < now() - ${WARN_AFTER}::interval and ${mayEnd(tx)} and (
        a.warning_queued_at is null or a.warning_queued_at < a.used_at
        or (a.warning_queued_at < now() - make_interval(days => ${WARNING_DAYS})
          and (a.warned_at is null or a.warned_at <= w.since)))
      order by a.used_at
      limit ${limit}
      for update of a skip locked
    ) unused
    where a.user_id = unused.user_id
    returning a.user_id`
  return rows.map(({ user_id }) => user_id)
}

/** Returns when an account ends whose warning is written now; undefined when it was used since it was queued, or is exempt. */
export const findEndOfAccount = async (db: Db, userId: string, warningId: string): Promise<string | undefined> => {
  const [row] = await db<{ ends_at: string }[]>`
    select greatest(
      a.used_at + ${RETENTION.idleAccounts.period}::interval, now() + make_interval(days => ${WARNING_DAYS})) as ends_at
    from auth.account_uses a join auth.users u on u.id = a.user_id
    where a.user_id = ${userId} and a.warning_id = ${warningId} and a.warning_queued_at > a.used_at and ${mayEnd(db)}`
  return row?.ends_at
}

/** Lists accounts that have expired, in the order of their ids. */
export const listExpiredAccounts = async (db: Db, after: string | null, limit: number): Promise<string[]> => {
  const rows = await db<{ id: string }[]>`
    select u.id from auth.account_uses a join auth.users u on u.id = a.user_id cross join auth.idle_watch w
    where ${isExpired(db)} and ${mayEnd(db)} and (${after}::uuid is null or u.id > ${after}::uuid)
    order by u.id
    limit ${limit}`
  return rows.map(({ id }) => id)
}

/** Returns whether an account has expired, whose row the caller has locked: nobody can use it meanwhile. */
export const isAccountExpired = async (tx: Db, id: string): Promise<boolean> => {
  const rows = await tx`
    select from auth.account_uses a join auth.users u on u.id = a.user_id cross join auth.idle_watch w
    where u.id = ${id} and ${isExpired(tx)} and ${mayEnd(tx)}`
  return rows.length === 1
}
