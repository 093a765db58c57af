import type { SanctionKind } from '#contract/sanctions.ts'
import type { Db } from '../db/pool.ts'

/** Nobody has more that matters; the oldest are left out. */
const MAX_ROWS = 100

export const listPersonAccounts = (db: Db, subjectId: string) =>
  db<{ id: string; email: string; created_at: string; is_admin: boolean }[]>`
    select u.id, u.email, u.created_at, u.is_admin
    from subjects p join auth.users u on u.person_hash = p.person_hash
    where p.id = ${subjectId}
    order by u.id desc`

export type PersonSanctionRow = {
  id: string
  kind: SanctionKind
  case_id: string | null
  reason_encrypted: Buffer | null
  decided_by_email: string | null
  created_at: string
  ends_at: string | null
  lifted_at: string | null
  lift_reason_encrypted: Buffer | null
  in_force: boolean
  appeal_id: string | null
  appealed_at: string | null
  upheld: boolean | null
}

export const listPersonSanctions = (db: Db, subjectId: string) =>
  db<PersonSanctionRow[]>`
    select s.id, s.kind, s.case_id, s.reason_encrypted, (select email from auth.users where id = s.decided_by) as decided_by_email,
      s.created_at, s.ends_at, s.lifted_at, s.lift_reason_encrypted,
      s.kind in ('limit', 'suspend') and s.lifted_at is null and (s.ends_at is null or s.ends_at > now()) as in_force,
      a.id as appeal_id, a.created_at as appealed_at, a.upheld
    from sanctions s left join appeals a on a.sanction_id = s.id
    where s.subject_id = ${subjectId}
    order by s.id desc
    limit ${MAX_ROWS}`

/** Lists who opened a text about the person, or looked at this page, and for what purpose. The entry of a case names the case. */
export const listPersonOpenings = (db: Db, subjectId: string) =>
  db<{ id: string; at: string; actor_email: string | null; action: string; reason_encrypted: Buffer | null }[]>`
    select id, at, actor_email, action, reason_encrypted
    from audit_log
    where (subject_id = ${subjectId} and action in ('appeal_opened', 'person_looked_up'))
      or (action = 'report_opened' and subject_id in (select id from report_cases where subject_id = ${subjectId}))
    order by id desc
    limit ${MAX_ROWS}`

/** Lists the cases about the person, without any text. */
export const listPersonCases = (db: Db, subjectId: string) =>
  db<{ id: string; reason: string; state: 'open' | 'closed'; created_at: string }[]>`
    select id, reason, state, created_at from report_cases where subject_id = ${subjectId} order by id desc limit ${MAX_ROWS}`
