import type { ContactSubject } from '#contract/contact-subjects.ts'
import type { Locale } from '#contract/product.ts'
import type { Db } from '../db/pool.ts'

export type SubmissionRow = {
  id: string
  name_encrypted: Buffer
  email_encrypted: Buffer
  subject: ContactSubject
  message_encrypted: Buffer
  locale: Locale
}

/** Stores a submission, which goes when its email has been delivered (`markSent`) or nobody sends it again (`purgeFinishedMails`). */
export const insertSubmission = async (tx: Db, row: SubmissionRow): Promise<void> => {
  await tx`
    insert into contact_submissions (id, name_encrypted, email_encrypted, subject, message_encrypted, locale)
    values (${row.id}, ${row.name_encrypted}, ${row.email_encrypted}, ${row.subject}, ${row.message_encrypted}, ${row.locale})`
}

export const findSubmission = async (db: Db, id: string): Promise<SubmissionRow | null> => {
  const [row] = await db<SubmissionRow[]>`
    select id, name_encrypted, email_encrypted, subject, message_encrypted, locale from contact_submissions where id = ${id}`
  return row ?? null
}

type MailRecipient = { id: string; locale: Locale; email_messages: boolean; email_message_text: boolean }

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
