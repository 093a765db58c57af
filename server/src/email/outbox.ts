import { newId } from '../db/ids.ts'
import type { Db } from '../db/pool.ts'

/** Emails to users. Each kind is rendered by the feature that queues it. */
export type MailKind =
  | 'auth_link'
  | 'password_changed'
  | 'message'
  | 'reply'
  | 'dispute_challenger'
  | 'dispute_incumbent'
  | 'dispute_verified_owner'
  | 'dispute_settled'
  | 'vehicle_approved'
  | 'vehicle_rejected'
  | 'vehicle_deleted'

/** Emails to the support address, about what a visitor wrote on the site. */
export type SupportMailKind = 'contact'

/** An email to write: its recipient and its subject, without any text or token (decision 0073). */
export type NewMail = { kind: MailKind; refId: string; recipientId: string; data?: Record<string, string> }

/** Queues an email in the transaction that causes it, once for each kind, subject and recipient. */
export const queueMail = async (db: Db, { kind, refId, recipientId, data = {} }: NewMail): Promise<void> => {
  await db`
    insert into outbox (id, kind, ref_id, recipient_id, data)
    values (${newId()}, ${kind}, ${refId}, ${recipientId}, ${db.json(data)})
    on conflict (kind, ref_id, recipient_id) do nothing`
}

/** Queues an email to the support address, which is no account. */
export const queueSupportMail = async (db: Db, kind: SupportMailKind, refId: string): Promise<void> => {
  await db`
    insert into outbox (id, kind, ref_id, recipient_id)
    values (${newId()}, ${kind}, ${refId}, null)
    on conflict (ref_id, kind) where recipient_id is null do nothing`
}
