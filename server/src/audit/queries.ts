import type { AuditAction, AuditEntry } from '#contract/admin.ts'
import type { Db } from '../db/pool.ts'
import { RESTORED } from '../email/failed-mails.ts'
import { RETENTION } from '../retention.ts'

/** An email about a decision that was given up, as the outbox has it. */
export type LostMailRow = { id: string; kind: string; last_error: string; email: string }

export type AuditRow = Omit<AuditEntry, 'reason' | 'lost_mails'> & {
  reason_encrypted: Buffer | null
  lost_mails: LostMailRow[]
}

/**
 * Lists entries before an id, the latest first, with the emails they caused that will not arrive. The outbox deletes
 * these 30 days after they were queued. What waited in a backup that was restored has mostly been sent, and is not among them.
 */
export const listAuditEntries = (db: Db, before: string, limit: number) =>
  db<AuditRow[]>`
    select a.id, a.at, a.actor_email, a.action, a.subject, a.subject_id, a.reason_encrypted, lost.mails as lost_mails
    from audit_log a
    cross join lateral (
      select coalesce(
        json_agg(json_build_object('id', o.id, 'kind', o.kind, 'last_error', coalesce(o.return_reason, o.last_error), 'email', u.email) order by o.id),
        '[]'
      ) as mails
      from outbox o join auth.users u on u.id = o.recipient_id
      where o.ref_id = a.id
        and (o.failed_at is not null and o.last_error is distinct from ${RESTORED} or o.return_reason is not null)
    ) lost
    where a.id < ${before}
    order by a.id desc
    limit ${limit}`

/** Entries one statement deletes: few enough to be quick. */
const DELETE_BATCH_SIZE = 5_000

/** Deletes the entries whose period is over. Of younger ones the database allows no deletion (schema.sql). */
export const deleteOldAuditEntries = async (db: Db): Promise<void> => {
  for (let count = DELETE_BATCH_SIZE; count === DELETE_BATCH_SIZE; ) {
    ;({ count } = await db`
      delete from audit_log where id in (
        select id from audit_log
        where at < now() - ${RETENTION.auditLog}::interval
        order by at
        limit ${DELETE_BATCH_SIZE}
      )`)
  }
}

type ReasonedEntry = {
  id: string
  at: string
  actor_email: string | null
  subject: string
  subject_id: string
  reason_encrypted: Buffer | null
}

/** Finds the latest entry of an action about each of these subjects. */
export const findLatestEntriesAbout = (db: Db, action: AuditAction, subjectIds: string[]) =>
  db<ReasonedEntry[]>`
    select distinct on (subject_id) id, at, actor_email, subject, subject_id, reason_encrypted
    from audit_log
    where action = ${action} and subject_id = any(${subjectIds}::uuid[])
    order by subject_id, id desc`
