import type { PersonSanction } from '#contract/people.ts'
import type { Db } from '../db/pool.ts'
import type { DecryptContext } from '../encryption/decrypt-for-display.ts'
import { showSanctionText } from './sanction-encryption.ts'

type Row = Omit<PersonSanction, 'reason' | 'lift_reason' | 'appeal'> & {
  reason_encrypted: Buffer | null
  lift_reason_encrypted: Buffer | null
  appeal_id: string | null
  appealed_at: string | null
  upheld: boolean | null
}

/** Lists the latest sanctions of a subject as admins read them, newest first. */
export async function listSanctionsForAdmins(
  db: Db,
  decryptContext: DecryptContext,
  subjectId: string,
  limit: number,
): Promise<PersonSanction[]> {
  const rows = await db<Row[]>`
    select s.id, s.kind, s.case_id, s.reason_encrypted, (select email from auth.users where id = s.decided_by) as decided_by_email,
      s.created_at, s.ends_at, s.lifted_at, s.lift_reason_encrypted,
      s.kind in ('limit', 'suspend') and s.lifted_at is null and (s.ends_at is null or s.ends_at > now()) as in_force,
      a.id as appeal_id, a.created_at as appealed_at, a.upheld
    from sanctions s left join appeals a on a.sanction_id = s.id
    where s.subject_id = ${subjectId}
    order by s.id desc
    limit ${limit}`
  return rows.map(({ appeal_id, appealed_at, upheld, reason_encrypted, lift_reason_encrypted, ...sanction }) => ({
    ...sanction,
    reason: showSanctionText(decryptContext, 'reason', sanction.id, reason_encrypted),
    lift_reason: showSanctionText(decryptContext, 'liftReason', sanction.id, lift_reason_encrypted),
    appeal: appeal_id !== null && appealed_at !== null ? { id: appeal_id, created_at: appealed_at, upheld } : null,
  }))
}
