import type { Db, Fragment } from '../db/pool.ts'
import { LEASE_DURATION_S } from '../jobs/lease-worker.ts'
import { RETENTION } from '../retention.ts'
import { RESTORED } from './failed-mails.ts'
import { type Lease, TEXT_REJECTED } from './lease-mails.ts'

/** Delays an owner's next email about messages, so that it covers everything that arrives until then. */
const DIGEST_PAUSE_S = 5 * 60
/** Gives up emails that could not be sent for this long. */
const GIVE_UP_AFTER_H = 72
/** Limits the rows of one purge, to keep it quick. */
const PURGE_BATCH_SIZE = 5_000

/** Matches the rows of an email while this worker has the lease: locked in the order in which a deletion of messages locks them. */
const leasedRows = (db: Db, { ids, token }: Lease) =>
  db`id in (
    select id from outbox
    where id = any(${ids}::uuid[]) and lease_token = ${token} and sent_at is null and failed_at is null
    order by id
    for update
  )`

/** Matches the recipient lock of an email about messages while this worker holds it, and nothing for other emails. */
const leasedDigest = (db: Db, { mail, token }: Lease) =>
  db`recipient_id = ${mail.kind === 'message' ? mail.recipientId : null} and lease_token = ${token}`

/**
 * Makes leases last for `LEASE_DURATION_S` from now on, and the recipient locks of those about messages. Rows that
 * another statement is changing at this moment are left to the next renewal, so that it never waits.
 */
export const renewMailLeases = async (db: Db, leases: Lease[]): Promise<void> => {
  const tokens = [...new Set(leases.map(({ token }) => token))]
  const recipientIds = leases.flatMap(({ mail }) => (mail.kind === 'message' ? mail.recipientId : []))
  await db`
    with mails as (
      select id from outbox
      where id = any(${leases.flatMap(({ ids }) => ids)}::uuid[]) and lease_token = any(${tokens}::uuid[])
        and sent_at is null and failed_at is null
      for update skip locked
    ), locks as (
      select recipient_id from digests
      where recipient_id = any(${recipientIds}::uuid[]) and lease_token = any(${tokens}::uuid[])
      for update skip locked
    ), renewed as (
      update outbox o set run_at = now() + ${LEASE_DURATION_S} * interval '1 second' from mails where o.id = mails.id
    )
    update digests d set next_at = now() + ${LEASE_DURATION_S} * interval '1 second'
    from locks where d.recipient_id = locks.recipient_id`
}

/**
 * Records how a try ended, with the rows of the email and the recipient lock, and gives up the lease. Returns false when another
 * worker has taken over the lease, and with it the outcome of the email.
 */
const endLease = async (db: Db, lease: Lease, mail: Fragment, lock: Fragment, more = db``): Promise<boolean> => {
  const [row] = await db<{ rows: number }[]>`
    with ended as (
      update outbox set lease_token = null, ${mail} where ${leasedRows(db, lease)} returning 1
    ), released as (
      update digests set lease_token = null, ${lock} where ${leasedDigest(db, lease)}
    )${more}
    select count(*)::int as rows from ended`
  return row?.rows !== 0
}

const pause = (db: Db, seconds: number) => db`next_at = now() + ${seconds} * interval '1 second', tries = 0`

/**
 * Records that an email was sent, and deletes what somebody wrote on the contact page once the support team has it.
 *
 * @param pauseS delays the next email about messages; 0 when none was sent in fact
 */
export const markSent = (db: Db, lease: Lease, pauseS = DIGEST_PAUSE_S): Promise<boolean> => {
  // apart, because a deletion of nothing runs the trigger too
  const delivered =
    lease.mail.kind === 'contact'
      ? db`, delivered as (delete from contact_submissions where id = ${lease.mail.refId} and exists (select from ended))`
      : db``
  return endLease(db, lease, db`sent_at = now(), last_error = null`, pause(db, pauseS), delivered)
}

/** Gives up on an email for good. */
export const markFailed = (db: Db, lease: Lease, reason: string): Promise<boolean> =>
  endLease(db, lease, db`failed_at = now(), last_error = ${reason}`, pause(db, DIGEST_PAUSE_S))

/** Puts off an email, and gives up on its rows that are too old. A text that was rejected once is not tried again. */
export const markMailDeferred = (db: Db, lease: Lease, reason: string, delayMs: number): Promise<boolean> =>
  endLease(
    db,
    lease,
    db`run_at = now() + ${delayMs} * interval '1 millisecond',
      last_error = case when last_error = ${TEXT_REJECTED} then last_error else ${reason} end,
      failed_at = case when created_at < now() - ${GIVE_UP_AFTER_H} * interval '1 hour' then now() end`,
    db`next_at = now() + ${delayMs} * interval '1 millisecond'`,
  )

/** Deletes an email that was dropped. */
export const deleteMail = async (db: Db, lease: Lease): Promise<boolean> => {
  const result = await db`delete from outbox where ${leasedRows(db, lease)}`
  return result.count > 0
}

/**
 * Deletes some of the emails that ended more than 30 days ago, with what is left of those from the contact page: the text of one
 * that was given up. Returns true when there may be more.
 */
export const purgeFinishedMails = async (db: Db): Promise<boolean> => {
  const [row] = await db<{ rows: number }[]>`
    with purged as (
      -- locked, so that none goes that is being sent again at this moment
      delete from outbox where id = any(array(
        select id from outbox
        where (sent_at is not null or failed_at is not null)
          and created_at < now() - ${RETENTION.finishedMails}::interval
        order by created_at
        limit ${PURGE_BATCH_SIZE}
        for update skip locked
      ))
      returning kind, ref_id
    ), undelivered as (
      delete from contact_submissions s using purged p where p.kind = 'contact' and s.id = p.ref_id
    )
    select count(*)::int as rows from purged`
  return row?.rows === PURGE_BATCH_SIZE
}

/**
 * Settles what waited in the outbox when a restored backup was made, because most of it has been sent since: a message's
 * email counts as sent (its owner sees the message in the app), every other as given up, to be sent by
 * `platenote mails retry-restored` if somebody wants to. Returns how many.
 */
export const settleWaitingMails = async (tx: Db): Promise<number> => {
  const { count } = await tx`
    update outbox set lease_token = null, held = false,
      sent_at = case when kind = 'message' then now() end,
      failed_at = case when kind = 'message' then null else now() end,
      last_error = ${RESTORED}
    where sent_at is null and failed_at is null`
  return count
}
