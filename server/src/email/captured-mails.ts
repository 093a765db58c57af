import { newId } from '../db/ids.ts'
import type { Db, Pool } from '../db/pool.ts'
import { RETENTION } from '../retention.ts'

export type CapturedMail = {
  id: string
  to: string
  subject: string
  text: string
  html: string
  headers: Record<string, string>
  sent_at: string
}

/** Stores an email instead of sending it (development). */
export const captureMail = async (
  db: Db,
  { outboxId, to, subject, text, html, headers }: Omit<CapturedMail, 'id' | 'sent_at'> & { outboxId: string | null },
): Promise<void> => {
  await db`
    insert into captured_mails (id, outbox_id, "to", subject, "text", html, headers)
    values (${newId()}, ${outboxId}, ${to}, ${subject}, ${text}, ${html}, ${db.json(headers)})`
}

/** Lists captured mails, newest first: those to one address, or all of them when it is null. */
export const listCapturedMails = (db: Pool, to: string | null, limit: number) => db<CapturedMail[]>`
  select id, "to", subject, "text", html, headers, sent_at from captured_mails
  where ${to}::text is null or "to" = ${to}
  order by sent_at desc, id desc
  limit ${limit}`

export const findCapturedMail = async (db: Pool, id: string): Promise<CapturedMail | null> => {
  const [row] = await db<CapturedMail[]>`
    select id, "to", subject, "text", html, headers, sent_at from captured_mails where id = ${id}`
  return row ?? null
}

/** Deletes captured mails whose period is over. */
export const purgeCapturedMails = async (db: Db): Promise<void> => {
  await db`delete from captured_mails where sent_at < now() - ${RETENTION.capturedMails}::interval`
}
