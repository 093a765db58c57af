import { newId } from '../db/ids.ts'
import type { Db, Pool } from '../db/pool.ts'
import type { ClaimedMail } from './render.ts'

/** A worker that claims a mail holds it this long. */
export const LEASE_S = 30
/** After this long without success a mail is given up. */
const GIVE_UP_H = 72
const KEEP_ENDED_DAYS = 30

/** Which queue: mails never tried, or mails to try again (also those of a worker that died). */
export type Queue = 'fresh' | 'retries'

export type Lease = {
  mail: ClaimedMail
  /** Fencing token: only who holds it may say how the mail ended. */
  token: string
  /** Tries so far, this one included. */
  attempts: number
}

type ClaimedRow = Omit<ClaimedMail, 'refId' | 'recipientId' | 'to' | 'preferences'> &
  ClaimedMail['preferences'] & { ref_id: string; recipient_id: string; email: string; attempts: number }

/** Claims up to `limit` due mails, the longest waiting first. Several workers on one database never get the same one. */
export async function claimMails(db: Db, queue: Queue, limit: number): Promise<Lease[]> {
  const token = newId()
  // the condition on attempts is written out, not a parameter: only so the planner sees which index serves it
  const rows = await db<ClaimedRow[]>`
    with due as (
      select id, recipient_id from outbox
      where sent_at is null and failed_at is null and run_at <= now()
        and ${queue === 'fresh' ? db`attempts = 0` : db`attempts > 0`}
      order by run_at
      limit ${limit}
      for update skip locked
    )
    update outbox o
    set attempts = o.attempts + 1, run_at = now() + ${LEASE_S} * interval '1 second', lease_token = ${token}
    from due
    join auth.users u on u.id = due.recipient_id
    left join preferences p on p.user_id = due.recipient_id
    where o.id = due.id
    returning o.id, o.kind, o.ref_id, o.recipient_id, o.data, o.attempts, u.email,
      coalesce(p.locale, 'en') as locale, coalesce(p.email_messages, true) as email_messages,
      coalesce(p.email_message_text, true) as email_message_text`
  return rows.map(({ id, kind, ref_id, recipient_id, data, attempts, email, locale, ...preferences }) => ({
    mail: { id, kind, refId: ref_id, recipientId: recipient_id, to: email, locale, preferences, data },
    token,
    attempts,
  }))
}

const held = (db: Db, { mail, token }: Lease) =>
  db`id = ${mail.id} and lease_token = ${token} and sent_at is null and failed_at is null`

/** False when the lease was lost meanwhile; then another worker says how the mail ended. */
export const markSent = async (db: Db, lease: Lease): Promise<boolean> => {
  const result = await db`
    update outbox set sent_at = now(), lease_token = null, last_error = null where ${held(db, lease)}`
  return result.count === 1
}

/** Gives a mail up for good. */
export const markFailed = async (db: Db, lease: Lease, word: string): Promise<boolean> => {
  const result = await db`
    update outbox set failed_at = now(), lease_token = null, last_error = ${word} where ${held(db, lease)}`
  return result.count === 1
}

/** Puts a mail back for later, or gives it up when it is too old. */
export const markDeferred = async (db: Db, lease: Lease, word: string, delayMs: number): Promise<boolean> => {
  const result = await db`
    update outbox
    set run_at = now() + ${delayMs} * interval '1 millisecond', lease_token = null, last_error = ${word},
      failed_at = case when created_at < now() - ${GIVE_UP_H} * interval '1 hour' then now() end
    where ${held(db, lease)}`
  return result.count === 1
}

/** Removes a mail that has nothing to say any more. */
export const dropMail = async (db: Db, lease: Lease): Promise<boolean> => {
  const result = await db`delete from outbox where ${held(db, lease)}`
  return result.count === 1
}

/** Removes what ended long ago. The row of a message's mail stays with the message: the Sent tab shows how it went. */
export const purgeEnded = async (db: Db): Promise<void> => {
  await db`
    delete from outbox o
    where (sent_at is not null or failed_at is not null)
      and created_at < now() - ${KEEP_ENDED_DAYS} * interval '1 day'
      and (kind <> 'message' or not exists (select from messages m where m.id = o.ref_id))`
  await db`delete from kept_mails where sent_at < now() - ${KEEP_ENDED_DAYS} * interval '1 day'`
}

export type KeptMail = {
  id: string
  to: string
  subject: string
  text: string
  html: string
  headers: Record<string, string>
  sent_at: string
}

/** Keeps a mail instead of sending it (development). */
export const keepMail = async (
  db: Db,
  { outboxId, to, subject, text, html, headers }: Omit<KeptMail, 'id' | 'sent_at'> & { outboxId: string },
): Promise<void> => {
  await db`
    insert into kept_mails (id, outbox_id, "to", subject, "text", html, headers)
    values (${newId()}, ${outboxId}, ${to}, ${subject}, ${text}, ${html}, ${db.json(headers)})`
}

/** Kept mails, newest first; of one address, or of all when it is null. */
export const keptMails = (db: Pool, to: string | null, limit: number) => db<KeptMail[]>`
  select id, "to", subject, "text", html, headers, sent_at from kept_mails
  where ${to}::text is null or "to" = ${to}
  order by sent_at desc, id desc
  limit ${limit}`

export const keptMail = async (db: Pool, id: string): Promise<KeptMail | null> => {
  const [row] = await db<KeptMail[]>`
    select id, "to", subject, "text", html, headers, sent_at from kept_mails where id = ${id}`
  return row ?? null
}
