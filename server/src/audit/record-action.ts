import type { AuditAction } from '#contract/admin.ts'
import { newId } from '../db/ids.ts'
import type { Db } from '../db/pool.ts'
import { type Keyring, type Place, sealText } from '../sealing/seal.ts'

/** Who acts: an admin with a session. Null: the product itself, or the command on the server. */
export type AuditActor = { id: string; email: string } | null

/** What is done, and to what. `subject` is for people: `plateSubject` or `userSubject`. */
export type AuditedAction = {
  actor: AuditActor
  action: AuditAction
  subject: string
  subjectId: string
  reason?: string | undefined
}

export const reasonPlace = (id: string): Place => ({ table: 'audit_log', column: 'reason', id })

/** A vehicle or dispute in the audit log. */
export const plateSubject = ({ plate, province }: { plate: string; province: string }): string =>
  `${plate} · ${province}`

/** An account in the audit log, which outlives the account: enough to recognize who is asked about, not to write to. */
export function userSubject(email: string): string {
  const at = email.lastIndexOf('@')
  return `${email.slice(0, 1)}•••${email.slice(at)}`
}

/**
 * Records what an admin does, in the transaction that does it: neither happens without the other.
 *
 * @returns the entry's id, which names the decision wherever it has to be told from another one
 */
export async function recordAction(tx: Db, keyring: Keyring, done: AuditedAction): Promise<string> {
  const id = newId()
  await insertEntry(tx, id, done, done.reason ? sealText(keyring, reasonPlace(id), done.reason) : null)
  return id
}

/** The same for what is done without a word of anybody: nothing is sealed, so no key is needed. */
export async function recordWordlessAction(tx: Db, done: Omit<AuditedAction, 'reason'>): Promise<string> {
  const id = newId()
  await insertEntry(tx, id, done, null)
  return id
}

const insertEntry = async (tx: Db, id: string, done: Omit<AuditedAction, 'reason'>, sealed: Buffer | null) => {
  const { actor, action, subject, subjectId } = done
  await tx`
    insert into audit_log (id, actor_id, actor_email, action, subject, subject_id, reason_sealed)
    values (${id}, ${actor?.id ?? null}, ${actor?.email ?? null}, ${action}, ${subject}, ${subjectId}, ${sealed})`
}
