import type { AuditAction } from '#contract/admin.ts'
import { formatUserSubject, recordActionWithoutReason } from '../audit/record-action.ts'
import type { Db, Pool } from '../db/pool.ts'
import { inTransaction } from '../db/transaction.ts'
import { hasOtherAdmin, lockAccounts, lockUserByEmail, setAdmin } from './user-queries.ts'

/** Records what the command did. It has no session: its actor in the audit log is null. */
export const recordCommand = (tx: Db, action: AuditAction, { id, email }: { id: string; email: string }) =>
  recordActionWithoutReason(tx, { actor: null, action, subject: formatUserSubject(email), subjectId: id })

/**
 * Grants the admin role to a confirmed account (decision server-authorization) and records it; an admin stays one. Takes effect
 * immediately. Returns false when there is no such account.
 */
export const grantAdmin = (db: Pool, email: string): Promise<boolean> =>
  inTransaction(db, async (tx) => {
    const user = await lockUserByEmail(tx, email)
    if (!user?.email_confirmed_at) return false
    if (user.is_admin) return true
    await setAdmin(tx, user.id, true)
    await recordCommand(tx, 'admin_granted', user)
    return true
  })

/** Revokes the admin role and records it. The last admin who can sign in keeps it: nobody else could do the work of admins. */
export const revokeAdmin = (db: Pool, email: string): Promise<'revoked' | 'not_an_admin' | 'last_admin'> =>
  inTransaction(db, async (tx) => {
    // locked, so that two admins cannot revoke each other at the same moment
    const admins = await lockAccounts(tx, [], true)
    const admin = admins.find((one) => one.email === email)
    if (!admin) return 'not_an_admin'
    if (!(await hasOtherAdmin(tx, [admin.id]))) return 'last_admin'
    await setAdmin(tx, admin.id, false)
    await recordCommand(tx, 'admin_revoked', admin)
    return 'revoked'
  })
