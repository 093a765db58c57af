import type { ContactItem, DeskState } from '#contract/contact-desk.ts'
import type { Db } from '../../db/pool.ts'
import { RESTORED } from '../../email/failed-mails.ts'

/** A submission without its text, and what became of the email with its last answer. */
const itemColumns = (db: Db) => db`
  s.id, s.subject, s.locale, s.created_at, case when s.closed_at is null then 'open' else 'closed' end as state,
  answer.created_at as answered_at, answer.delivery`

/** The answers of a submission, with what became of their emails; the outbox knows that for 30 days, and not after a restore. */
const answersOf = (db: Db) => db`
  select a.id, a.text_encrypted, a.created_at,
    case
      when o.sent_at is not null then 'sent'
      when o.last_error = ${RESTORED} then null
      when o.failed_at is not null then 'failed'
      when o.id is not null then 'queued'
    end as delivery
  from contact_answers a
  left join outbox o on o.ref_id = a.id and o.kind = 'contact_answer'
  where a.submission_id = s.id`

/** Lists the submissions in a state after a cursor: the open ones oldest first, the closed ones newest first. */
export const listSubmissions = (db: Db, state: DeskState, after: string, limit: number) =>
  db<ContactItem[]>`
    select ${itemColumns(db)}
    from contact_submissions s
    left join lateral (${answersOf(db)} order by a.id desc limit 1) answer on true
    where ${state === 'open' ? db`s.closed_at is null and s.id > ${after}` : db`s.closed_at is not null and s.id < ${after}`}
    order by s.id ${state === 'open' ? db`asc` : db`desc`}
    limit ${limit}`

export const findContactItem = async (db: Db, id: string): Promise<ContactItem | null> => {
  const [row] = await db<ContactItem[]>`
    select ${itemColumns(db)}
    from contact_submissions s
    left join lateral (${answersOf(db)} order by a.id desc limit 1) answer on true
    where s.id = ${id}`
  return row ?? null
}

export type AnswerRow = {
  id: string
  text_encrypted: Buffer
  created_at: string
  delivery: ContactItem['delivery']
}

/** Lists the answers to a submission, oldest first. */
export const listAnswers = (db: Db, submissionId: string) =>
  db<AnswerRow[]>`
    select answer.* from contact_submissions s cross join lateral (${answersOf(db)}) answer
    where s.id = ${submissionId}
    order by answer.id`

/** Locks a submission and says whether it is open; null when there is none. */
export const lockSubmission = async (tx: Db, id: string): Promise<Pick<ContactItem, 'state' | 'subject'> | null> => {
  const [row] = await tx<Pick<ContactItem, 'state' | 'subject'>[]>`
    select subject, case when closed_at is null then 'open' else 'closed' end as state
    from contact_submissions where id = ${id} for update`
  return row ?? null
}

/** Stores an answer. Returns false when the submission has the same one already. */
export const insertAnswer = async (
  tx: Db,
  answer: { id: string; submissionId: string; textEncrypted: Buffer; textHash: Buffer },
): Promise<boolean> => {
  const { count } = await tx`
    insert into contact_answers (id, submission_id, text_encrypted, text_hash)
    values (${answer.id}, ${answer.submissionId}, ${answer.textEncrypted}, ${answer.textHash})
    on conflict (submission_id, text_hash) do nothing`
  return count === 1
}

/** Closes a submission, or opens it again; the caller has locked it in the other state. */
export const setState = async (tx: Db, id: string, state: DeskState): Promise<void> => {
  await tx`update contact_submissions set closed_at = ${state === 'closed' ? tx`now()` : null} where id = ${id}`
}

/** Finds an answer and the submission it is about; null when they are gone. */
export const findAnswer = async (
  db: Db,
  id: string,
): Promise<{ text_encrypted: Buffer; submission_id: string; written_at: string } | null> => {
  const [row] = await db<{ text_encrypted: Buffer; submission_id: string; written_at: string }[]>`
    select a.text_encrypted, a.submission_id, s.created_at as written_at
    from contact_answers a join contact_submissions s on s.id = a.submission_id
    where a.id = ${id}`
  return row ?? null
}
