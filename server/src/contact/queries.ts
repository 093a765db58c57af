import type { ContactSubject } from '#contract/contact-subjects.ts'
import type { Locale } from '#contract/product.ts'
import type { Db } from '../db/pool.ts'
import { RETENTION } from '../retention.ts'

/** Within this time the same text of the same writer is a duplicate, not another message. */
const REPEAT_WINDOW_MINUTES = 10
/** Rows one statement deletes: few enough to be quick. */
const DELETE_BATCH_SIZE = 5_000

export type SubmissionRow = {
  id: string
  name_encrypted: Buffer
  email_encrypted: Buffer
  subject: ContactSubject
  message_encrypted: Buffer
  locale: Locale
}

/**
 * Stores a submission. Returns false when the same one was stored in the last ten minutes. Waits for one that is just
 * being stored, and returns true if that one fails. Call it in a transaction.
 *
 * @param repeatHash equal for submissions of the same text by the same writer
 */
export const insertSubmission = async (tx: Db, row: SubmissionRow, repeatHash: Buffer): Promise<boolean> => {
  await clearExpiredRepeatHashes(tx, repeatHash)
  const { count } = await tx`
    insert into contact_submissions (id, name_encrypted, email_encrypted, subject, message_encrypted, locale, repeat_hash)
    values (${row.id}, ${row.name_encrypted}, ${row.email_encrypted}, ${row.subject}, ${row.message_encrypted}, ${row.locale},
      ${repeatHash})
    on conflict (repeat_hash) where repeat_hash is not null do nothing`
  return count === 1
}

/** Clears hashes too old to detect a duplicate by: the one given, or all (null). */
export const clearExpiredRepeatHashes = async (db: Db, repeatHash: Buffer | null): Promise<void> => {
  await db`
    update contact_submissions set repeat_hash = null
    where repeat_hash is not null and ${repeatHash === null ? db`true` : db`repeat_hash = ${repeatHash}`}
      and created_at < now() - ${REPEAT_WINDOW_MINUTES} * interval '1 minute'`
}

export const findSubmission = async (db: Db, id: string): Promise<SubmissionRow | null> => {
  const [row] = await db<SubmissionRow[]>`
    select id, name_encrypted, email_encrypted, subject, message_encrypted, locale from contact_submissions where id = ${id}`
  return row ?? null
}

/** Deletes some of the submissions older than 12 months. Returns true when there may be more. */
export const deleteOldSubmissions = async (db: Db): Promise<boolean> => {
  const { count } = await db`
    delete from contact_submissions where id in (
      select id from contact_submissions
      where created_at < now() - ${RETENTION.contactSubmissions.period}::interval
      order by created_at
      limit ${DELETE_BATCH_SIZE}
    )`
  return count === DELETE_BATCH_SIZE
}

export type MailRecipient = { id: string; locale: Locale; email_messages: boolean; email_message_text: boolean }

/** Finds the account of an address (in its stored form) and its email preferences; null when there is none. */
export const findMailRecipient = async (db: Db, email: string): Promise<MailRecipient | null> => {
  const [row] = await db<MailRecipient[]>`
    select u.id, coalesce(p.locale, 'en') as locale, coalesce(p.email_messages, true) as email_messages,
      coalesce(p.email_message_text, true) as email_message_text
    from auth.users u
    left join preferences p on p.user_id = u.id
    where u.email = ${email}`
  return row ?? null
}
