import type { AdminPerson } from '#contract/people.ts'
import { formatUserSubject } from '../audit/record-action.ts'
import type { Db } from '../db/pool.ts'
import type { DecryptContext } from '../encryption/decrypt-for-display.ts'
import { refuse } from '../refusal.ts'
import { listSanctionsForAdmins } from '../sanctions/list-for-admins.ts'
import { findSubject } from '../sanctions/queries.ts'

/** Nobody has more that matters; the oldest are left out. */
const MAX_ROWS = 100

const listPersonAccounts = (db: Db, subjectId: string) =>
  db<{ id: string; email: string; created_at: string; is_admin: boolean }[]>`
    select u.id, u.email, u.created_at, u.is_admin
    from subjects p join auth.users u on u.person_hash = p.person_hash
    where p.id = ${subjectId}
    order by u.id desc`

/** Lists the cases about the person, without any text. */
const listPersonCases = (db: Db, subjectId: string) =>
  db<AdminPerson['cases']>`
    select id, reason, state, created_at from report_cases where subject_id = ${subjectId} order by id desc limit ${MAX_ROWS}`

/** Returns what admins may see of a person: nothing that somebody wrote to somebody. Refuses with `not_found`. */
export async function getPerson(db: Db, decryptContext: DecryptContext, id: string): Promise<AdminPerson> {
  const subject = (await findSubject(db, id)) ?? refuse('not_found')
  const [accounts, sanctions, cases] = await Promise.all([
    listPersonAccounts(db, id),
    listSanctionsForAdmins(db, decryptContext, id, MAX_ROWS),
    listPersonCases(db, id),
  ])
  return {
    ...subject,
    accounts: accounts.map(({ email, ...account }) => ({ ...account, address: formatUserSubject(email) })),
    sanctions,
    cases,
  }
}
