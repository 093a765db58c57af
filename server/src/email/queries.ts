import type { Db } from '../db/pool.ts'
import { type Lease, TEXT_REJECTED } from './lease-mails.ts'

/** After a mail about messages the next one for the same owner waits this long, and then tells of all that came. */
const DIGEST_PAUSE_S = 5 * 60
/** After this long without success a mail is given up. */
const GIVE_UP_AFTER_H = 72
const RETENTION_DAYS = 30
/** Rows one purge removes: few enough to be quick. */
const PURGE_BATCH_SIZE = 5_000

/** The rows of a mail, as long as this worker holds them. */
const leasedRows = (db: Db, { ids, token }: Lease) =>
  db`id = any(${ids}::uuid[]) and lease_token = ${token} and sent_at is null and failed_at is null`

/** The turn of a mail about messages, as long as this worker holds it; nobody's for any other mail. */
const leasedDigest = (db: Db, { mail, token }: Lease) =>
  db`recipient_id = ${mail.kind === 'message' ? mail.recipientId : null} and lease_token = ${token}`

/** False when the lease was lost meanwhile; then another worker says how the mail ended. */
export const markSent = async (db: Db, lease: Lease): Promise<boolean> => {
  const [row] = await db<{ rows: number }[]>`
    with ended as (
      update outbox set sent_at = now(), lease_token = null, last_error = null where ${leasedRows(db, lease)} returning 1
    ), paused as (
      update digests set next_at = now() + ${DIGEST_PAUSE_S} * interval '1 second', tries = 0, lease_token = null
      where ${leasedDigest(db, lease)}
    )
    select count(*)::int as rows from ended`
  return row?.rows !== 0
}

/** Gives a mail up for good. */
export const markFailed = async (db: Db, lease: Lease, reason: string): Promise<boolean> => {
  const [row] = await db<{ rows: number }[]>`
    with ended as (
      update outbox set failed_at = now(), lease_token = null, last_error = ${reason} where ${leasedRows(db, lease)} returning 1
    ), paused as (
      update digests set next_at = now() + ${DIGEST_PAUSE_S} * interval '1 second', tries = 0, lease_token = null
      where ${leasedDigest(db, lease)}
    )
    select count(*)::int as rows from ended`
  return row?.rows !== 0
}

/** Puts a mail back for later; what of it is too old is given up. Words that were refused once are not tried again. */
export const markDeferred = async (db: Db, lease: Lease, reason: string, delayMs: number): Promise<boolean> => {
  const [row] = await db<{ rows: number }[]>`
    with ended as (
      update outbox
      set run_at = now() + ${delayMs} * interval '1 millisecond', lease_token = null,
        last_error = case when last_error = ${TEXT_REJECTED} then last_error else ${reason} end,
        failed_at = case when created_at < now() - ${GIVE_UP_AFTER_H} * interval '1 hour' then now() end
      where ${leasedRows(db, lease)}
      returning 1
    ), delayed as (
      update digests set next_at = now() + ${delayMs} * interval '1 millisecond', lease_token = null
      where ${leasedDigest(db, lease)}
    )
    select count(*)::int as rows from ended`
  return row?.rows !== 0
}

/** Removes a mail that has nothing to say any more. */
export const deleteMail = async (db: Db, lease: Lease): Promise<boolean> => {
  const result = await db`delete from outbox where ${leasedRows(db, lease)}`
  return result.count > 0
}

/**
 * Removes some of what ended long ago; true when there may be more. The row of a message's mail stays with the message
 * (the Sent tab shows how it went) and goes with it.
 */
export const purgeFinishedMails = async (db: Db): Promise<boolean> => {
  const { count } = await db`
    delete from outbox where id in (
      select id from outbox
      where (sent_at is not null or failed_at is not null) and kind <> 'message'
        and created_at < now() - ${RETENTION_DAYS} * interval '1 day'
      order by created_at
      limit ${PURGE_BATCH_SIZE}
    )`
  return count === PURGE_BATCH_SIZE
}
