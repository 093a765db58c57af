import type { SanctionKind } from '#contract/sanctions.ts'
import type { Db, Transaction } from '../db/pool.ts'

/** A sanction with its appeal, for the person. */
export type OwnSanctionRow = {
  id: string
  kind: SanctionKind
  reason_encrypted: Buffer | null
  created_at: string
  ends_at: string | null
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
    select s.id, s.kind, s.reason_encrypted, s.created_at, s.ends_at, s.appealable_until, s.appealable_until <= now() as late,
      s.kind in ('limit', 'suspend') and s.lifted_at is null and (s.ends_at is null or s.ends_at > now()) as in_force,
      a.id as appeal_id, a.upheld
    from sanctions s left join appeals a on a.sanction_id = s.id
    where s.id = ${id}`
  return row
}

/** Locks a sanction until the transaction ends, so that concurrent appeals take turns. */
export const lockSanction = async (tx: Transaction, id: string): Promise<void> => {
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
  decision: { upheld: boolean; decidedBy: string; encryptedReason: Buffer },
): Promise<void> => {
  await db`
    update appeals set decided_at = now(), upheld = ${decision.upheld}, decided_by = ${decision.decidedBy},
      decision_reason_encrypted = ${decision.encryptedReason}
    where id = ${id}`
}
