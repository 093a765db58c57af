import type { SanctionKind } from '#contract/sanctions.ts'
import type { Db } from '../db/pool.ts'
import { RETENTION } from '../retention.ts'

/** An account of a person, as it is now. */
export type PersonAccount = { id: string; email: string; is_admin: boolean }

/** Lists the accounts of a person, in the order of their ids. */
export const listAccounts = (db: Db, subjectId: string) =>
  db<PersonAccount[]>`
    select u.id, u.email, u.is_admin
    from subjects p join auth.users u on u.person_hash = p.person_hash
    where p.id = ${subjectId}
    order by u.id`

/** Locks a subject until the transaction ends. Returns false when there is none. */
export const lockSubject = async (db: Db, subjectId: string): Promise<boolean> => {
  const rows = await db`select from subjects where id = ${subjectId} for no key update`
  return rows.length === 1
}

type NewSanctionRow = {
  id: string
  subject_id: string
  kind: SanctionKind
  case_id: string | null
  reason_encrypted: Buffer | null
  decided_by: string | null
  days: number | null
}

export const insertSanction = async (db: Db, sanction: NewSanctionRow): Promise<void> => {
  const { id, subject_id, kind, case_id, reason_encrypted, decided_by, days } = sanction
  await db`
    insert into sanctions (id, subject_id, kind, case_id, reason_encrypted, decided_by, ends_at)
    values (${id}, ${subject_id}, ${kind}, ${case_id}, ${reason_encrypted}, ${decided_by},
      now() + make_interval(days => ${days}::int))`
}

/** Stores the hash of what is in an emailed link. */
export const insertAppealToken = async (db: Db, tokenHash: Buffer, sanctionId: string): Promise<void> => {
  await db`insert into appeal_tokens (token_hash, sanction_id) values (${tokenHash}, ${sanctionId})`
}

/**
 * Deletes the sanctions whose period is over, with their appeals and links: 24 months after they ended, or were decided if
 * they do not last. One whose appeal waits for a decision stays.
 */
export const deleteOldSanctions = async (db: Db): Promise<void> => {
  await db`
    delete from sanctions s
    where case when kind in ('limit', 'suspend') then least(lifted_at, ends_at) else created_at end
        < now() - ${RETENTION.sanctions}::interval
      and not exists (select from appeals a where a.sanction_id = s.id and a.decided_at is null)`
}

/** A sanction in force that can be lifted. */
type LiftableSanction = { id: string; kind: SanctionKind }

/** Locks the suspensions and limits that are in force for a person, the newest first. */
export const lockLiftable = (db: Db, subjectId: string) =>
  db<LiftableSanction[]>`
    select id, kind from sanctions
    where subject_id = ${subjectId} and kind in ('limit', 'suspend') and lifted_at is null
      and (ends_at is null or ends_at > now())
    order by id desc
    for no key update`

export const setSanctionLifted = async (db: Db, id: string, encryptedReason: Buffer | null): Promise<void> => {
  await db`update sanctions set lifted_at = now(), lift_reason_encrypted = ${encryptedReason} where id = ${id}`
}

/** Finds a person; `suspended` and `limited` say what is in force. */
export const findSubject = async (db: Db, id: string) => {
  const [subject] = await db<{ id: string; suspended: boolean; limited: boolean }[]>`
    select id, is_sanctioned(person_hash, 'suspend') as suspended, is_sanctioned(person_hash, 'limit') as limited
    from subjects
    where id = ${id}`
  return subject
}

/** Finds the sanction of the link with this token. */
export const findSanctionIdByToken = async (db: Db, tokenHash: Buffer): Promise<string | undefined> => {
  const [row] = await db<{ sanction_id: string }[]>`
    select sanction_id from appeal_tokens where token_hash = ${tokenHash}`
  return row?.sanction_id
}

/**
 * Finds the sanction that the person of an account reads about: the suspension in force that lasts longest, as it is what
 * keeps them out; without one the newest sanction of any kind.
 */
export const findSanctionIdByAccount = async (db: Db, accountId: string): Promise<string | undefined> => {
  const [row] = await db<{ id: string }[]>`
    select s.id
    from auth.users u join subjects p on p.person_hash = u.person_hash join sanctions s on s.subject_id = p.id
    where u.id = ${accountId}
    order by
      case when s.kind = 'suspend' and s.lifted_at is null and coalesce(s.ends_at, 'infinity') > now()
        then coalesce(s.ends_at, 'infinity') end desc nulls last,
      s.id desc
    limit 1`
  return row?.id
}

/** A sanction with its appeal, for the person and the emails to them. */
export type OwnSanctionRow = {
  id: string
  kind: SanctionKind
  reason_encrypted: Buffer | null
  created_at: string
  ends_at: string | null
  lift_reason_encrypted: Buffer | null
  in_force: boolean
  appealable_until: string
  /** Whether the time to appeal is over. */
  late: boolean
  appeal_id: string | null
  upheld: boolean | null
}

/** Finds a sanction with its appeal. */
export const findOwnSanction = async (db: Db, id: string): Promise<OwnSanctionRow | undefined> => {
  const [row] = await db<OwnSanctionRow[]>`
    select s.id, s.kind, s.reason_encrypted, s.created_at, s.ends_at, s.lift_reason_encrypted, s.appealable_until,
      s.appealable_until <= now() as late,
      s.kind in ('limit', 'suspend') and s.lifted_at is null and (s.ends_at is null or s.ends_at > now()) as in_force,
      a.id as appeal_id, a.upheld
    from sanctions s left join appeals a on a.sanction_id = s.id
    where s.id = ${id}`
  return row
}

/** Locks a sanction until the transaction ends, so that concurrent appeals take turns. */
export const lockSanction = async (tx: Db, id: string): Promise<void> => {
  await tx`select from sanctions where id = ${id} for no key update`
}

/** Stores an appeal. Returns false when the sanction has one. */
export const insertAppeal = async (db: Db, id: string, sanctionId: string, encryptedText: Buffer): Promise<boolean> => {
  const { count } = await db`
    insert into appeals (id, sanction_id, text_encrypted) values (${id}, ${sanctionId}, ${encryptedText})
    on conflict (sanction_id) do nothing`
  return count === 1
}

/** An appeal with the sanction it is about, for admins. */
export type AppealRow = {
  id: string
  subject_id: string
  created_at: string
  upheld: boolean | null
  text_encrypted: Buffer
  decision_reason_encrypted: Buffer | null
  sanction_id: string
  kind: SanctionKind
  case_id: string | null
  reason_encrypted: Buffer | null
  sanction_created_at: string
  ends_at: string | null
  lifted_at: string | null
  decided_by: string | null
  decided_by_email: string | null
}

const appealColumns = (db: Db) => db`
  a.id, s.subject_id, a.created_at, a.upheld, a.text_encrypted, a.decision_reason_encrypted, s.id as sanction_id, s.kind,
  s.case_id, s.reason_encrypted, s.created_at as sanction_created_at, s.ends_at, s.lifted_at, s.decided_by,
  (select email from auth.users where id = s.decided_by) as decided_by_email`

/** Finds appeals by id, in no particular order. */
export const findAppeals = (db: Db, ids: string[]) =>
  db<AppealRow[]>`
    select ${appealColumns(db)} from appeals a join sanctions s on s.id = a.sanction_id where a.id = any(${ids}::uuid[])`

/** Finds an appeal. */
export const findAppeal = async (db: Db, id: string): Promise<AppealRow | undefined> => (await findAppeals(db, [id]))[0]

/** Locks an appeal until the transaction ends. */
export const lockAppeal = async (db: Db, id: string): Promise<void> => {
  await db`select from appeals where id = ${id} for no key update`
}

export const setAppealDecided = async (
  db: Db,
  id: string,
  decision: { upheld: boolean; decidedBy: string | null; encryptedReason: Buffer },
): Promise<void> => {
  await db`
    update appeals set decided_at = now(), upheld = ${decision.upheld}, decided_by = ${decision.decidedBy},
      decision_reason_encrypted = ${decision.encryptedReason}
    where id = ${id}`
}
