import { newId } from '../db/ids.ts'
import type { Db } from '../db/pool.ts'

/**
 * Finds or creates the subject that stands for a person, and locks it until the transaction ends. Returns its id.
 *
 * @param personHash of the person's mailbox (`hashPerson`)
 */
export const findOrCreateSubject = async (db: Db, personHash: Buffer): Promise<string> => {
  // the update changes nothing: it makes the row of another transaction visible
  const [subject] = await db<{ id: string }[]>`
    insert into subjects (id, person_hash) values (${newId()}, ${personHash})
    on conflict (person_hash) do update set person_hash = excluded.person_hash
    returning id`
  return subject!.id // created or found
}

/**
 * Deletes the subjects nothing is known about any more: the reports and sanctions for which they were made are over. The row
 * of one who is just being reported or sanctioned is locked (`findOrCreateSubject`), and left out.
 */
export const deleteUnusedSubjects = async (db: Db): Promise<void> => {
  await db`
    delete from subjects where id in (
      select id from subjects p
      where created_at < now() - interval '1 day'
        and not exists (select from report_cases c where c.subject_id = p.id)
        and not exists (select from sanctions s where s.subject_id = p.id)
      for update skip locked
    )`
}
