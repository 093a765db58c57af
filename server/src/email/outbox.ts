import type { MAIL_KINDS } from '#contract/mail-kinds.ts'
import { newId } from '../db/ids.ts'
import type { Db } from '../db/pool.ts'

/**
 * Emails to an address that is no account's: the support team's, or one that an account is to have or had. Their renderers say whose it is.
 */
export const KINDS_WITHOUT_ACCOUNT = ['contact', 'email_change_new', 'email_changed'] as const
export type MailKindWithoutAccount = (typeof KINDS_WITHOUT_ACCOUNT)[number]

/** Emails to users. Each kind is rendered by the feature that queues it. */
export type MailKind = Exclude<keyof typeof MAIL_KINDS, MailKindWithoutAccount>

/** An email to write: its recipient and its subject, without any text or token (decision email-outbox). */
type NewMail = { kind: MailKind; refId: string; recipientId: string; data?: Record<string, string> }

/** Queues an email in the transaction that causes it, once for each kind, subject and recipient. */
export const queueMail = (db: Db, { recipientId, ...mail }: NewMail): Promise<void> =>
  queueMails(db, mail, [recipientId])

/** Queues one email to each of several recipients, as `queueMail`. */
export const queueMails = async (
  db: Db,
  { kind, refId, data = {} }: Omit<NewMail, 'recipientId'>,
  recipientIds: string[],
): Promise<void> => {
  await db`
    insert into outbox (id, kind, ref_id, recipient_id, data)
    select id, ${kind}, ${refId}, recipient_id, ${db.json(data)}
    from unnest(${recipientIds.map(() => newId())}::uuid[], ${recipientIds.toSorted()}::uuid[]) as r (id, recipient_id)
    on conflict (kind, ref_id, recipient_id) do nothing`
}

/** Queues an email to an address that is no account's, once for each kind and subject. */
export const queueMailWithoutAccount = async (db: Db, kind: MailKindWithoutAccount, refId: string): Promise<void> => {
  await db`
    insert into outbox (id, kind, ref_id, recipient_id)
    values (${newId()}, ${kind}, ${refId}, null)
    on conflict (ref_id, kind) where recipient_id is null do nothing`
}

/** Deletes the emails of a kind about a subject that have not left. */
export const dropMails = async (tx: Db, kind: MailKind, refId: string): Promise<void> => {
  await tx`delete from outbox where kind = ${kind} and ref_id = ${refId} and sent_at is null and failed_at is null`
}
