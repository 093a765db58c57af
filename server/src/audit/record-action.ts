import type { AuditAction } from '#contract/admin.ts'
import { newId } from '../db/ids.ts'
import type { Db } from '../db/pool.ts'
import { type AssociatedData, encryptText, type Keyring } from '../encryption/envelope-encryption.ts'

/** Who acts: an admin with a session. Null: the product itself, or the admin command. */
export type AuditActor = { id: string; email: string } | null

/** What is done, and to what. `subject` is for people to read. */
export type AuditedAction = {
  actor: AuditActor
  action: AuditAction
  subject: string
  subjectId: string
  reason?: string | undefined
}

export const reasonAssociatedData = (id: string): AssociatedData => ({ table: 'audit_log', column: 'reason', id })

/** Masks the address of an account, which the audit log outlives: enough to recognize it, not to write to it. */
export function formatUserSubject(email: string): string {
  const at = email.lastIndexOf('@')
  return `${email.slice(0, 1)}•••${email.slice(at)}`
}

/**
 * Records what an admin does, in the transaction that does it: neither happens without the other.
 *
 * @returns the entry's id, which identifies the decision
 */
export async function recordAction(tx: Db, keyring: Keyring, entry: AuditedAction): Promise<string> {
  const id = newId()
  await insertAuditEntry(
    tx,
    id,
    entry,
    entry.reason ? encryptText(keyring, reasonAssociatedData(id), entry.reason) : null,
  )
  return id
}

/** Records an action about a vehicle or a dispute; otherwise as `recordAction`. */
export const recordPlateAction = (
  tx: Db,
  keyring: Keyring,
  { id, plate, province }: { id: string; plate: string; province: string },
  entry: Pick<AuditedAction, 'actor' | 'action' | 'reason'>,
): Promise<string> => recordAction(tx, keyring, { ...entry, subject: `${plate} · ${province}`, subjectId: id })

/** Records an action that has no reason to encrypt, so that no key is needed. */
export async function recordActionWithoutReason(tx: Db, entry: Omit<AuditedAction, 'reason'>): Promise<string> {
  const id = newId()
  await insertAuditEntry(tx, id, entry, null)
  return id
}

const insertAuditEntry = async (
  tx: Db,
  id: string,
  entry: Omit<AuditedAction, 'reason'>,
  encryptedReason: Buffer | null,
) => {
  const { actor, action, subject, subjectId } = entry
  await tx`
    insert into audit_log (id, actor_id, actor_email, action, subject, subject_id, reason_encrypted)
    values (${id}, ${actor?.id ?? null}, ${actor?.email ?? null}, ${action}, ${subject}, ${subjectId}, ${encryptedReason})`
}
