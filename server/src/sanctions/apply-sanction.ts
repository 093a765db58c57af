import type { AuditAction } from '#contract/admin.ts'
import { isLasting, type SanctionKind } from '#contract/sanctions.ts'
import { type AuditActor, formatUserSubject, recordAction } from '../audit/record-action.ts'
import { recordEventOnServer } from '../auth/events.ts'
import { revokeLinks } from '../auth/link-queries.ts'
import { endAllSessions } from '../auth/session-queries.ts'
import { hasOtherAdmin, lockAccounts } from '../auth/user-queries.ts'
import type { AppContext } from '../context.ts'
import { newId } from '../db/ids.ts'
import type { Db } from '../db/pool.ts'
import { queueMail } from '../email/outbox.ts'
import { refuse } from '../refusal.ts'
import { insertSanction, listAccounts, lockSubject, type PersonAccount } from './queries.ts'
import { encryptSanctionText } from './sanction-encryption.ts'

/** What an admin decides about a person. */
type NewSanction = {
  subjectId: string
  kind: SanctionKind
  /** For how many days; null: until it is lifted. Of no meaning for what does not last. */
  days?: number | null | undefined
  /** As the person reads it; null: none was given on the server's command line. */
  reason: string | null
  /** The admin; null: the admin command. */
  actor: AuditActor
  caseId?: string | null | undefined
}

const AUDIT_ACTIONS: Record<SanctionKind, AuditAction> = {
  warn: 'person_warned',
  limit: 'person_limited',
  suspend: 'user_suspended',
  delete_message: 'message_removed',
}

/**
 * Applies a sanction to a person, in the transaction of the decision: stores it, records it in the audit log, and queues the
 * email to every account of the person. A suspension ends all their sessions and voids their links; open streams learn of it
 * at the commit, on every process. After the commit: `outbox.wake()`.
 *
 * Refuses with `not_found` and `last_admin_suspended`.
 *
 * @returns the sanction's id
 */
export async function applySanction(
  tx: Db,
  { keyring }: Pick<AppContext, 'keyring'>,
  { subjectId, kind, days, reason, actor, caseId }: NewSanction,
): Promise<string> {
  const accounts = await listAccounts(tx, subjectId)
  if (kind === 'suspend') await endAccess(tx, accounts)
  if (!(await lockSubject(tx, subjectId))) refuse('not_found')
  const id = newId()
  await insertSanction(tx, {
    id,
    subject_id: subjectId,
    kind,
    case_id: caseId ?? null,
    reason_encrypted: reason === null ? null : encryptSanctionText(keyring, 'reason', id, reason),
    decided_by: actor?.id ?? null,
    days: isLasting(kind) ? (days ?? null) : null,
  })
  const entry = {
    actor,
    action: AUDIT_ACTIONS[kind],
    ...describePerson(subjectId, accounts),
    reason: reason ?? undefined,
  }
  const refId = await recordAction(tx, keyring, entry)
  for (const account of accounts) {
    await queueMail(tx, { kind: 'sanction', refId, recipientId: account.id, data: { sanction_id: id } })
  }
  return id
}

/** Names a person in the audit log: by the masked address of the newest account, where there is one. */
export const describePerson = (subjectId: string, accounts: PersonAccount[]) => {
  const newest = accounts.at(-1)
  return { subject: newest ? formatUserSubject(newest.email) : '•••', subjectId }
}

/** Ends all sessions of the accounts and voids their links. */
async function endAccess(tx: Db, accounts: PersonAccount[]): Promise<void> {
  const ids = accounts.map(({ id }) => id)
  const isAdmin = accounts.some(({ is_admin }) => is_admin)
  const locked = await lockAccounts(tx, ids, isAdmin)
  if (isAdmin && !(await hasOtherAdmin(tx, ids))) refuse('last_admin_suspended')
  for (const { id } of locked.filter((account) => ids.includes(account.id))) {
    await revokeLinks(tx, id)
    await endAllSessions(tx, id)
    await recordEventOnServer(tx, id, 'suspended')
  }
}
