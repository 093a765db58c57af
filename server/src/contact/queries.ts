import type { ContactSubject } from '#contract/contact.ts'
import type { Locale } from '#contract/product.ts'
import type { Db } from '../db/pool.ts'

const KEEP_MONTHS = 12
/** Rows one statement removes: few enough to be quick. */
const DELETE_ROWS = 5_000

export type SubmissionRow = {
  id: string
  name_sealed: Buffer
  email_sealed: Buffer
  subject: ContactSubject
  message_sealed: Buffer
  locale: Locale
}

export const insertSubmission = async (db: Db, row: SubmissionRow): Promise<void> => {
  await db`
    insert into contact_submissions (id, name_sealed, email_sealed, subject, message_sealed, locale)
    values (${row.id}, ${row.name_sealed}, ${row.email_sealed}, ${row.subject}, ${row.message_sealed}, ${row.locale})`
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
      where created_at < now() - ${KEEP_MONTHS} * interval '1 month'
      order by created_at
      limit ${DELETE_ROWS}
    )`
  return count === DELETE_ROWS
}

export type Reader = { id: string; locale: Locale; email_messages: boolean; email_message_text: boolean }

/** Whose account an address (as stored) is, and how they want their mails; null: nobody's. */
export const readerWith = async (db: Db, email: string): Promise<Reader | null> => {
  const [row] = await db<Reader[]>`
    select u.id, coalesce(p.locale, 'en') as locale, coalesce(p.email_messages, true) as email_messages,
      coalesce(p.email_message_text, true) as email_message_text
    from auth.users u
    left join preferences p on p.user_id = u.id
    where u.email = ${email}`
  return row ?? null
}
