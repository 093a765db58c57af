import type { AdminPerson } from '#contract/people.ts'
import type { SanctionKind } from '#contract/sanctions.ts'
import { formatUserSubject } from '../audit/record-action.ts'
import type { Db } from '../db/pool.ts'
import type { DecryptContext } from '../encryption/decrypt-for-display.ts'
import { refuse } from '../refusal.ts'
import { findSubject } from '../sanctions/queries.ts'
import { showSanctionText } from '../sanctions/sanction-encryption.ts'

/** Nobody has more that matters; the oldest are left out. */
const MAX_ROWS = 100

const listPersonAccounts = (db: Db, subjectId: string) =>
  db<{ id: string; email: string; created_at: string; is_admin: boolean }[]>`
    select u.id, u.email, u.created_at, u.is_admin
    from subjects p join auth.users u on u.person_hash = p.person_hash
    where p.id = ${subjectId}
    order by u.id desc`

type PersonSanctionRow = {
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

const listPersonSanctions = (db: Db, subjectId: string) =>
  db<PersonSanctionRow[]>`
    select s.id, s.kind, s.case_id, s.reason_encrypted, (select email from auth.users where id = s.decided_by) as decided_by_email,
      s.created_at, s.ends_at, s.lifted_at, s.lift_reason_encrypted,
      s.kind in ('limit', 'suspend') and s.lifted_at is null and (s.ends_at is null or s.ends_at > now()) as in_force,
      a.id as appeal_id, a.created_at as appealed_at, a.upheld
    from sanctions s left join appeals a on a.sanction_id = s.id
    where s.subject_id = ${subjectId}
    order by s.id desc
    limit ${MAX_ROWS}`

/** Lists the cases about the person, without any text. */
const listPersonCases = (db: Db, subjectId: string) =>
  db<AdminPerson['cases']>`
    select id, reason, state, created_at from report_cases where subject_id = ${subjectId} order by id desc limit ${MAX_ROWS}`

/** Returns what admins may see of a person: nothing that somebody wrote to somebody. Refuses with `not_found`. */
export async function getPerson(db: Db, decryptContext: DecryptContext, id: string): Promise<AdminPerson> {
  const subject = (await findSubject(db, id)) ?? refuse('not_found')
  const [accounts, sanctions, cases] = await Promise.all([
    listPersonAccounts(db, id),
    listPersonSanctions(db, id),
    listPersonCases(db, id),
  ])
  return {
    ...subject,
    accounts: accounts.map(({ email, ...account }) => ({ ...account, address: formatUserSubject(email) })),
    sanctions: sanctions.map(({ appeal_id, appealed_at, upheld, ...sanction }) => ({
      ...sanction,
      reason: showSanctionText(decryptContext, 'reason', sanction.id, sanction.reason_encrypted),
      lift_reason: showSanctionText(decryptContext, 'liftReason', sanction.id, sanction.lift_reason_encrypted),
      appeal: appeal_id !== null && appealed_at !== null ? { id: appeal_id, created_at: appealed_at, upheld } : null,
    })),
    cases,
  }
}
