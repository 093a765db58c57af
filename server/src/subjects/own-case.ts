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

/** Selects the accounts of reports: whom they are about, who reported, who sent the messages, and the people who have them. */
const peopleOfCases = (db: Db, cases: Fragment) => db`
  select u.id from report_cases c join subjects p on p.id = c.subject_id join auth.users u on u.person_hash = p.person_hash
  where c.id in (${cases})
  union all
  select reporter_id from reports where case_id in (${cases})
  union all
  select unnest(array[m.sender_id, v.user_id, d.user_id])
  from report_cases c
  join messages m on m.id = c.message_id
  left join vehicles v on v.id = m.vehicle_id
  left join vehicle_drivers d on d.vehicle_id = v.id
  where c.id in (${cases})`

/** Selects the accounts of a report. */
export const peopleOfCase = (db: Db, caseId: string) => peopleOfCases(db, db`select ${caseId}::uuid`)

/**
 * Selects the accounts of the sides of all that waits about a person: reports, appeals, and disputes of their plates. Whoever judges
 * the person elsewhere decides those too.
 *
 * @param person selects the hash of the person
 */
export const peopleOfWhatWaits = (db: Db, person: Fragment) => db`
  ${peopleOfCases(
    db,
    db`
      select c.id from subjects p join report_cases c on c.subject_id = p.id
      where p.person_hash in (${person}) and (c.state = 'open' or exists (
        select from sanctions s join appeals a on a.sanction_id = s.id where s.case_id = c.id and a.decided_at is null))`,
  )}
  union all
  ${peopleOfPlates(
    db,
    db`
      select v.province, v.plate_key from auth.users u join vehicles v on v.user_id = u.id
      where u.person_hash in (${person})
        and exists (select from plate_disputes d where v.id in (d.incumbent_vehicle_id, d.challenger_vehicle_id))`,
  )}`

/** Selects the accounts of admins who have taken a plate from somebody in the last 30 days. */
export const takersOfPlate = (db: Db, province: string, plateKey: string) => db`
  select actor_id from audit_log
  where at > now() - interval '30 days' and action in ('vehicle_rejected', 'vehicle_deleted')
    and replace(subject, '-', '') = ${`${plateKey} · ${province}`}`

/**
 * Refuses an admin who is one of these people, with whichever account: one of the same person, or at the same mailbox. Never the admin
 * command, which decides where nobody else can.
 *
 * @param people selects their accounts
 */
export async function refuseOwnCase(
  db: Db,
  admin: { id: string } | null,
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
