import type { AuditActor } from '../audit/record-action.ts'
import type { Db, Fragment } from '../db/pool.ts'
import { canonicalAddress } from '../limits/canonical-address.ts'
import { refuse } from '../refusal.ts'

// Nobody decides about something they are a side of (decision admin-inbox), nor opens it.

/** Selects the accounts of plates: of whoever has registered them, whatever became of that, and of their drivers. */
const peopleOfPlates = (db: Db, plates: Fragment) => db`
  select unnest(array[v.user_id, d.user_id])
  from vehicles v left join vehicle_drivers d on d.vehicle_id = v.id
  where (v.province, v.plate_key) in (${plates})`

/** Selects the accounts of the people of a plate. */
export const peopleOfPlate = (db: Db, { province, plate_key }: { province: string; plate_key: string }) =>
  peopleOfPlates(db, db`values (${province}::text, ${plate_key}::text)`)

/** Selects the accounts of the people of every plate that an account has. */
export const peopleOfPlatesOf = (db: Db, userId: string) =>
  peopleOfPlates(db, db`select province, plate_key from vehicles where user_id = ${userId}`)

/** Selects the accounts of a person. */
export const accountsOfSubject = (db: Db, subjectId: string) => db`
  select u.id from subjects p join auth.users u on u.person_hash = p.person_hash where p.id = ${subjectId}`

/** Selects the accounts of a report: whom it is about, who reported, who sent the message, and the people who got it. */
export const peopleOfCase = (db: Db, caseId: string) => db`
  select u.id from report_cases c join subjects p on p.id = c.subject_id join auth.users u on u.person_hash = p.person_hash
  where c.id = ${caseId}
  union all
  select reporter_id from reports where case_id = ${caseId}
  union all
  select unnest(array[m.sender_id, v.user_id, d.user_id])
  from report_cases c
  join messages m on m.id = c.message_id
  left join vehicles v on v.id = m.vehicle_id
  left join vehicle_drivers d on d.vehicle_id = v.id
  where c.id = ${caseId}`

/**
 * Refuses an admin who is one of these people, with whichever account: one of the same person, or at the same mailbox. Never the admin
 * command, which decides where nobody else can.
 *
 * @param people selects their accounts
 */
export async function refuseOwnCase(
  db: Db,
  admin: AuditActor,
  people: Fragment,
  code: 'own_case' | 'own_sanction' = 'own_case',
): Promise<void> {
  if (!admin) return
  const sides = await db<{ is_person: boolean; email: string; own_email: string }[]>`
    select u.person_hash = a.person_hash as is_person, u.email, a.email as own_email
    from auth.users u cross join auth.users a
    where a.id = ${admin.id} and u.id in (${people})`
  const isAtMailbox = (one: string, other: string) => canonicalAddress(one) === canonicalAddress(other)
  if (sides.some(({ is_person, email, own_email }) => is_person || isAtMailbox(email, own_email))) refuse(code)
}
