import type { AuditEntry } from '#contract/admin.ts'
import type { Db } from '../db/pool.ts'

/** A mail of a decision that ended as failed, as the outbox has it. */
export type LostMailRow = { id: string; kind: string; word: string; email: string }

export type AuditRow = Omit<AuditEntry, 'reason' | 'lost_mails'> & {
  reason_sealed: Buffer | null
  lost_mails: LostMailRow[]
}

/**
 * Entries before an id, the latest first, with the mails they caused that will not arrive, until the outbox forgets these
 * 30 days after they were written.
 */
export const listAuditEntries = (db: Db, before: string, limit: number) =>
  db<AuditRow[]>`
    select a.id, a.at, a.actor_email, a.action, a.subject, a.subject_id, a.reason_sealed, lost.mails as lost_mails
    from audit_log a
    cross join lateral (
      select coalesce(
        json_agg(json_build_object('id', o.id, 'kind', o.kind, 'word', o.last_error, 'email', u.email) order by o.id),
        '[]'
      ) as mails
      from outbox o join auth.users u on u.id = o.recipient_id
      where o.ref_id = a.id and o.failed_at is not null
    ) lost
    where a.id < ${before}
    order by a.id desc
    limit ${limit}`
