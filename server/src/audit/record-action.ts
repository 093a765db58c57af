import type { AuditAction } from '#contract/admin.ts'
import type { AppContext } from '../context.ts'
import { newId } from '../db/ids.ts'
import type { Db } from '../db/pool.ts'
import { type AssociatedData, encryptText, type Keyring, keyedHash } from '../encryption/envelope-encryption.ts'

/** Who acts: an admin with a session. Null: the product itself, or the admin command. */
export type AuditActor = { id: string; email: string } | null

/** What is done, and to what. `subject` is for people to read. */
type AuditedAction = {
  actor: AuditActor
  action: AuditAction
  subject: string
  subjectId: string
  reason?: string | undefined
}

/** Returns the associated data of the reason of an entry. */
export const reasonAssociatedData = (id: string): AssociatedData => ({ table: 'audit_log', column: 'reason', id })

/** Domains at which very many people have an address. */
const COMMON_DOMAINS = new Set([
  ...['gmail.com', 'googlemail.com', 'icloud.com', 'me.com', 'mac.com', 'aol.com', 'mail.com', 'msn.com', 'ymail.com'],
  ...['hotmail.com', 'hotmail.ca', 'hotmail.fr', 'outlook.com', 'outlook.fr', 'live.com', 'live.ca', 'live.fr'],
  ...[
    'yahoo.com',
    'yahoo.ca',
    'yahoo.fr',
    'gmx.com',
    'gmx.net',
    'proton.me',
    'protonmail.com',
    'pm.me',
    'fastmail.com',
  ],
  ...['bell.net', 'sympatico.ca', 'rogers.com', 'shaw.ca', 'telus.net', 'videotron.ca', 'cogeco.ca', 'eastlink.ca'],
  ...['sasktel.net', 'mts.net', 'nb.sympatico.ca', 'bellaliant.net', 'teksavvy.com', 'distributel.net'],
])

/**
 * Masks the address of an account, which the audit log outlives: enough to recognize it, not to write to it. A domain that
 * few people have an address at would name its owner, so of such a one only the ending is shown (decision retention-and-deletion).
 */
export function formatUserSubject(email: string): string {
  const at = email.lastIndexOf('@')
  if (at === -1) return '•••'
  const domain = email.slice(at + 1).toLowerCase()
  const shown = COMMON_DOMAINS.has(domain) ? domain : `•••${domain.slice(domain.lastIndexOf('.'))}`
  return `${email.slice(0, 1)}•••@${shown}`
}

/**
 * Records what an admin does, in the transaction that does it: neither happens without the other.
 *
 * @returns the entry's id, which identifies the decision
 */
export const recordAction = (tx: Db, keyring: Keyring, { reason, ...entry }: AuditedAction): Promise<string> => {
  const id = newId()
  return insertAuditEntry(tx, id, entry, reason ? encryptText(keyring, reasonAssociatedData(id), reason) : null)
}

/** Records an action about a vehicle or a dispute; otherwise as `recordAction`. */
export const recordPlateAction = (
  tx: Db,
  keyring: Keyring,
  { id, plate, province }: { id: string; plate: string; province: string },
  entry: Pick<AuditedAction, 'actor' | 'action' | 'reason'>,
): Promise<string> => recordAction(tx, keyring, { ...entry, subject: `${plate} · ${province}`, subjectId: id })

/** Records an action that has no reason to encrypt, so that no key is needed. */
export const recordActionWithoutReason = (tx: Db, entry: Omit<AuditedAction, 'reason'>): Promise<string> =>
  insertAuditEntry(tx, newId(), entry, null)

/** Within so many minutes the same question of the same admin is recorded once: a list is loaded again at every return to it. */
const LOOK_UP_INTERVAL_MINUTES = 10

type LookUp = { actor: NonNullable<AuditActor>; action: AuditAction; question: unknown; count: number }

/**
 * Records that an admin was shown people: `count` of them, unless nobody was, for a question of which only the hash is kept.
 * Somebody who knows what may have been asked can find it by that hash; nobody else can find out what it was.
 */
export async function recordLookUp(
  { db, keyring }: Pick<AppContext, 'db' | 'keyring'>,
  { actor, action, question, count }: LookUp,
): Promise<void> {
  if (count === 0) return
  const hash = keyedHash(keyring, 'look-up', JSON.stringify(question)).toString('hex')
  // the id of a question is its hash, in the form of a UUID of one's own making (RFC 9562 §5.8)
  const subjectId = `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-8${hash.slice(17, 20)}-${hash.slice(20, 32)}`
  await insertLookUp(db, { actor, action, subject: `${hash.slice(0, 10)} · ${count}`, subjectId })
}

/** Records that an admin was shown one account. */
export const recordUserLookUp = (db: Db, actor: NonNullable<AuditActor>, user: { id: string; email: string }) =>
  insertLookUp(db, { actor, action: 'user_looked_up', subject: formatUserSubject(user.email), subjectId: user.id })

/** Records that an admin was shown a person, by the masked address of their newest account, if there is one. */
export const recordPersonLookUp = (
  db: Db,
  actor: NonNullable<AuditActor>,
  { id, address = '•••' }: { id: string; address: string | undefined },
) => insertLookUp(db, { actor, action: 'person_looked_up', subject: address, subjectId: id })

/** Records that an admin was shown both sides of a dispute. */
export const recordDisputeLookUp = (
  db: Db,
  actor: NonNullable<AuditActor>,
  { id, plate, province }: { id: string; plate: string; province: string },
) => insertLookUp(db, { actor, action: 'dispute_opened', subject: `${plate} · ${province}`, subjectId: id })

/** Records a look-up, unless the same was recorded within the interval. */
const insertLookUp = async (
  db: Db,
  { actor, action, subject, subjectId }: { actor: NonNullable<AuditActor> } & Omit<AuditedAction, 'actor' | 'reason'>,
): Promise<void> => {
  await db`
    insert into audit_log (id, actor_id, actor_email, action, subject, subject_id)
    select ${newId()}::uuid, ${actor.id}::uuid, ${actor.email}, ${action}, ${subject}, ${subjectId}::uuid
    where not exists (
      select from audit_log
      where actor_id = ${actor.id}::uuid and action = ${action} and subject = ${subject} and subject_id = ${subjectId}::uuid
        and at > now() - make_interval(mins => ${LOOK_UP_INTERVAL_MINUTES}))`
}

const insertAuditEntry = async (
  tx: Db,
  id: string,
  { actor, action, subject, subjectId }: Omit<AuditedAction, 'reason'>,
  encryptedReason: Buffer | null,
): Promise<string> => {
  await tx`
    insert into audit_log (id, actor_id, actor_email, action, subject, subject_id, reason_encrypted)
    values (${id}, ${actor?.id ?? null}, ${actor?.email ?? null}, ${action}, ${subject}, ${subjectId}, ${encryptedReason})`
  return id
}
