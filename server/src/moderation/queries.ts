import type { CaseSanction } from '#contract/cases.ts'
import type { Db } from '../db/pool.ts'

type SanctionRow = Omit<CaseSanction, 'reason'> & { reason_encrypted: Buffer | null }

/** Lists the latest sanctions of a subject, newest first. */
export const listSanctions = (db: Db, subjectId: string, limit: number) =>
  db<SanctionRow[]>`
    select id, kind, created_at, ends_at, lifted_at, reason_encrypted from sanctions
    where subject_id = ${subjectId}
    order by id desc
    limit ${limit}`
