import type { AuditEntry } from '#contract/admin.ts'
import type { Db } from '../db/pool.ts'

/** An email about a decision that was given up, as the outbox has it. */
export type LostMailRow = { id: string; kind: string; last_error: string; email: string }

export type AuditRow = Omit<AuditEntry, 'reason' | 'lost_mails'> & {
  reason_encrypted: Buffer | null
  lost_mails: LostMailRow[]
}

/**
 * Lists entries before an id, the latest first, with the emails they caused that will not arrive. The outbox deletes
 * these 30 days after they were queued.
 */
export const listAuditEntries = (db: Db, before: string, limit: number) =>
  db<AuditRow[]>`
    select a.id, a.at, a.actor_email, a.action, a.subject, a.subject_id, a.reason_encrypted, lost.mails as lost_mails
    from audit_log a
    cross join lateral (
      select coalesce(
        json_agg(json_build_object('id', o.id, 'kind', o.kind, 'last_error', o.last_error, 'email', u.email) order by o.id),
        '[]'
      ) as mails
      from outbox o join auth.users u on u.id = o.recipient_id
      where o.ref_id = a.id and o.failed_at is not null
    ) lost
    where a.id < ${before}
    order by a.id desc
    limit ${limit}`
