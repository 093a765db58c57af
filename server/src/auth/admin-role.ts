import { formatUserSubject, recordActionWithoutReason } from '../audit/record-action.ts'
import type { Db, Pool } from '../db/pool.ts'
import { inTransaction } from '../db/transaction.ts'
import { lockAdmins, lockUserByEmail, setAdmin } from './user-queries.ts'

export type RevokeOutcome = 'revoked' | 'not_an_admin' | 'last_admin'

/** By the command on the server, which knows no person. */
const recordRoleChange = (
  tx: Db,
  action: 'admin_granted' | 'admin_revoked',
  { id, email }: { id: string; email: string },
) => recordActionWithoutReason(tx, { actor: null, action, subject: formatUserSubject(email), subjectId: id })

/**
 * Gives a confirmed account the admin right (decision 0053), and records it. False when there is no such account. It
 * acts at once; who has the right already keeps it.
 */
export const grantAdmin = (db: Pool, email: string): Promise<boolean> =>
  inTransaction(db, async (tx) => {
    const user = await lockUserByEmail(tx, email)
    if (!user?.email_confirmed_at) return false
    if (user.is_admin) return true
    await setAdmin(tx, user.id, true)
    await recordRoleChange(tx, 'admin_granted', user)
    return true
  })

/** Takes the admin right, and records it. The last admin keeps it: nobody could give it back through the product. */
export const revokeAdmin = (db: Pool, email: string): Promise<RevokeOutcome> =>
  inTransaction(db, async (tx) => {
    // held, so that two admins cannot revoke each other at once
    const admins = await lockAdmins(tx)
    const admin = admins.find((one) => one.email === email)
    if (!admin) return 'not_an_admin'
    if (admins.length === 1) return 'last_admin'
    await setAdmin(tx, admin.id, false)
    await recordRoleChange(tx, 'admin_revoked', admin)
    return 'revoked'
  })
