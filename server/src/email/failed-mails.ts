import { COUNT_MAX, type Health } from '#contract/health.ts'
import type { Db } from '../db/pool.ts'
import type { MailKind, MailKindWithoutAccount } from './outbox.ts'

/** Limits the rows of one statement, to keep it quick. */
const BATCH_SIZE = 5_000

/**
 * The reason of emails that waited when a restored backup was made. Most have been sent since: they are given up, but nothing has
 * failed and nobody is to send them with what has.
 */
export const RESTORED = 'restored'
/** The reason of emails that were not sent because those to their address come back; they leave when one arrives (decision returned-emails). */
export const UNREACHABLE = 'unreachable'
/** Which of the emails that were given up: those that failed, or those that a restore has left. */
export type GivenUp = 'failed' | 'restored'

const givenUp = (db: Db, which: GivenUp) =>
  which === 'restored'
    ? db`failed_at is not null and last_error = ${RESTORED}`
    : db`failed_at is not null and coalesce(last_error, '') not in (${RESTORED}, ${UNREACHABLE})`

export type FailedMailRow = {
  id: string
  kind: MailKind | MailKindWithoutAccount
  failed_at: string
  last_error: string
  /** Null: the recipient has no account. */
  email: string | null
}

/** Lists emails that failed, newest first. */
export const listFailed = (db: Db, before: string, limit: number) =>
  db<FailedMailRow[]>`
    select o.id, o.kind, o.failed_at, coalesce(o.last_error, '') as last_error, u.email
    from (
      select * from outbox where ${givenUp(db, 'failed')} and id < ${before} order by id desc limit ${limit}
    ) o
    left join auth.users u on u.id = o.recipient_id
    order by o.id desc`

type MailFigures = Omit<Health['mails'], 'unreachable'>

/**
 * Counts the emails that wait and those that failed, up to `COUNT_MAX`, and finds since when the oldest that is due
 * waits. One that waits on purpose (quiet hours, the pause after an email) is not due. Of those that were written in the last day and
 * have left it counts how many came back.
 */
export async function getMailFigures(db: Db): Promise<MailFigures> {
  const [row] = await db<MailFigures[]>`
    select
      (select count(*)::int from (
        (select from outbox where attempts = 0 and sent_at is null and failed_at is null and kind <> 'message' limit ${COUNT_MAX})
        union all
        (select from outbox where attempts > 0 and sent_at is null and failed_at is null and kind <> 'message' limit ${COUNT_MAX})
        union all
        (select from outbox where attempts = 0 and sent_at is null and failed_at is null and kind = 'message' limit ${COUNT_MAX})
        union all
        (select from outbox where attempts > 0 and sent_at is null and failed_at is null and kind = 'message' limit ${COUNT_MAX})
        limit ${COUNT_MAX}) waiting) as waiting,
      (select count(*)::int from (select from outbox where ${givenUp(db, 'failed')} limit ${COUNT_MAX}) failed) as failed,
      least(
        (select min(run_at) from outbox
          where attempts = 0 and sent_at is null and failed_at is null and kind <> 'message' and run_at <= now()),
        (select min(run_at) from outbox
          where attempts = 0 and sent_at is null and failed_at is null and kind = 'message' and run_at <= now()),
        (select min(due_since) from outbox where due_since is not null and sent_at is null and failed_at is null)
      ) as oldest_at,
      day.sent::int as sent_in_a_day, day.returned::int as returned_in_a_day
    from (
      select count(sent_at) as sent, count(return_reason) as returned from (
        select sent_at, return_reason from outbox
        where (sent_at is not null or failed_at is not null) and created_at > now() - interval '1 day'
        order by created_at desc limit ${COUNT_MAX}
      ) ended
    ) day`
  return row!
}

/** As if it had just been written. */
export const asNew = (db: Db) => db`
  failed_at = null, last_error = null, attempts = 0, due_since = null, run_at = now(), created_at = now()`

type RetriedMail = { id: string; kind: string; email: string | null }

/** Queues a failed email again, as if it had just been written. Returns null when it has not failed. */
export const retryMail = async (db: Db, id: string): Promise<RetriedMail | null> => {
  const [row] = await db<RetriedMail[]>`
    with retried as (
      update outbox set ${asNew(db)}
      where id = ${id} and failed_at is not null
      returning id, kind, recipient_id
    )
    select r.id, r.kind, u.email from retried r left join auth.users u on u.id = r.recipient_id`
  return row ?? null
}

/** Queues some of those emails again, the newest first. Returns how many, and the id to go on below, or null at the end. */
export const retryMailsBelow = async (
  db: Db,
  which: GivenUp,
  before: string,
): Promise<{ count: number; next: string | null }> => {
  const rows = await db<{ id: string }[]>`
    with chosen as (
      select id from outbox where ${givenUp(db, which)} and id < ${before} order by id desc limit ${BATCH_SIZE}
      for update skip locked
    ), retried as (
      update outbox o set ${asNew(db)}
      from chosen where o.id = chosen.id
      returning o.id
    )
    select id from retried order by id`
  return { count: rows.length, next: rows.length === BATCH_SIZE ? rows[0]!.id : null }
}

/** Makes the emails that wait for their next try due at once. Returns how many. */
export const setWaitingMailsDue = async (db: Db): Promise<number> => {
  const [row] = await db<{ count: number }[]>`
    with due as (
      update outbox set run_at = now()
      where id in (
        select id from outbox
        where attempts > 0 and due_since is not null and sent_at is null and failed_at is null and lease_token is null
          and run_at > now()
        for update skip locked
      )
      returning 1
    ), unpaused as (
      update digests set next_at = now() where tries > 0 and lease_token is null
    )
    select count(*)::int as count from due`
  return row?.count ?? 0
}

/** Counts the emails that were given up by their kind and reason, those that a restore has left too, the most frequent first. */
export const countFailures = (db: Db) =>
  db<{ kind: string; reason: string; count: number }[]>`
    select kind, coalesce(last_error, 'unknown') as reason, count(*)::int as count
    from outbox where failed_at is not null
    group by 1, 2 order by 3 desc, 1, 2 limit 50`
