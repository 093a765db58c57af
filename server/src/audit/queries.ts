import type { AuditEntry } from '#contract/admin.ts'
import type { Db } from '../db/pool.ts'

export type AuditRow = Omit<AuditEntry, 'reason'> & { reason_sealed: Buffer | null }

/** Entries before an id, the latest first. */
export const listEntries = (db: Db, before: string, limit: number) =>
  db<AuditRow[]>`
    select id, at, actor_email, action, subject, subject_id, reason_sealed from audit_log
    where id < ${before}
    order by id desc
    limit ${limit}`
