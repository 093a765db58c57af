import type { ContactSubject } from '#contract/contact.ts'
import type { Locale } from '#contract/product.ts'
import type { Db } from '../db/pool.ts'

const RETENTION_MONTHS = 12
/** Within these the same words of the same writer are a second press, and no second message. */
const REPEAT_WINDOW_MINUTES = 10
/** Rows one statement removes: few enough to be quick. */
const DELETE_BATCH_SIZE = 5_000

export type SubmissionRow = {
  id: string
  name_sealed: Buffer
  email_sealed: Buffer
  subject: ContactSubject
  message_sealed: Buffer
  locale: Locale
}

/**
 * Keeps a submission; false when the same one was kept in the last ten minutes. Waits for one that is being kept at
 * this moment, and is true when that one fails. In a transaction.
 *
 * @param computeRepeatHash equal for submissions of the same words by the same writer
 */
export const insertSubmission = async (tx: Db, row: SubmissionRow, repeatHash: Buffer): Promise<boolean> => {
  await clearExpiredRepeatHashes(tx, repeatHash)
  const { count } = await tx`
    insert into contact_submissions (id, name_sealed, email_sealed, subject, message_sealed, locale, repeat_hash)
    values (${row.id}, ${row.name_sealed}, ${row.email_sealed}, ${row.subject}, ${row.message_sealed}, ${row.locale},
      ${repeatHash})
    on conflict (repeat_hash) where repeat_hash is not null do nothing`
  return count === 1
}

/** Clears hashes too old to tell a repeat by: the one given, or all (null). */
export const clearExpiredRepeatHashes = async (db: Db, repeatHash: Buffer | null): Promise<void> => {
  await db`
    update contact_submissions set repeat_hash = null
    where repeat_hash is not null and ${repeatHash === null ? db`true` : db`repeat_hash = ${repeatHash}`}
      and created_at < now() - ${REPEAT_WINDOW_MINUTES} * interval '1 minute'`
}

export const findSubmission = async (db: Db, id: string): Promise<SubmissionRow | null> => {
  const [row] = await db<SubmissionRow[]>`
    select id, name_sealed, email_sealed, subject, message_sealed, locale from contact_submissions where id = ${id}`
  return row ?? null
}

/** Deletes some of what was written 12 months ago; true when there may be more. */
export const deleteOldSubmissions = async (db: Db): Promise<boolean> => {
  const { count } = await db`
    delete from contact_submissions where id in (
      select id from contact_submissions
      where created_at < now() - ${RETENTION_MONTHS} * interval '1 month'
      order by created_at
      limit ${DELETE_BATCH_SIZE}
    )`
  return count === DELETE_BATCH_SIZE
}

export type MailRecipient = { id: string; locale: Locale; email_messages: boolean; email_message_text: boolean }

/** Whose account an address (as stored) is, and how they want their mails; null: nobody's. */
export const findMailRecipient = async (db: Db, email: string): Promise<MailRecipient | null> => {
  const [row] = await db<MailRecipient[]>`
    select u.id, coalesce(p.locale, 'en') as locale, coalesce(p.email_messages, true) as email_messages,
      coalesce(p.email_message_text, true) as email_message_text
    from auth.users u
    left join preferences p on p.user_id = u.id
    where u.email = ${email}`
  return row ?? null
}
