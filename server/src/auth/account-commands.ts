import { formatUserSubject, recordActionWithoutReason } from '../audit/record-action.ts'
import type { Pool } from '../db/pool.ts'
import { inTransaction } from '../db/transaction.ts'
import { cancelPending } from './cancel-pending.ts'
import { deleteEveryLink, deleteLinks } from './link-queries.ts'
import { queuePasswordResetMail } from './password-changed-mail.ts'
import { deleteEverySession, endAllSessions } from './session-queries.ts'
import { lockUserByEmail, updateUser } from './user-queries.ts'

// What the admin command does to sessions and passwords. Removing factors is in `factors/remove-factor.ts`.

/** Signs an account out everywhere and voids its links: somebody else may have them. Returns false when there is none. */
export const signOutByEmail = (db: Pool, email: string): Promise<boolean> =>
  inTransaction(db, async (tx) => {
    const user = await lockUserByEmail(tx, email)
    if (!user) return false
    await deleteLinks(tx, user.id)
    await endAllSessions(tx, user.id)
    return true
  })

/** Signs everybody out and voids all links, after a breach. Returns the number of sessions that ended. */
export const signOutEverybody = (db: Pool): Promise<number> =>
  inTransaction(db, async (tx) => {
    await deleteEveryLink(tx)
    return deleteEverySession(tx)
  })

/**
 * Makes the password of an account invalid, because somebody else knows it, and ends whatever may have been done with it: its
 * sessions, links, a change of address that waits, and invitations to its vehicles. Its person is told by email, and chooses
 * another one.
 */
export const resetPassword = (db: Pool, email: string): Promise<'reset' | 'no_password' | 'unknown'> =>
  inTransaction(db, async (tx) => {
    const user = await lockUserByEmail(tx, email)
    if (!user) return 'unknown'
    if (user.encrypted_password === null) return 'no_password'
    await updateUser(tx, user.id, null, user.user_metadata)
    await endAllSessions(tx, user.id)
    await cancelPending(tx, user.id)
    await queuePasswordResetMail(tx, user.id)
    // the command has no session: its actor in the audit log is null
    const subject = formatUserSubject(user.email)
    await recordActionWithoutReason(tx, { actor: null, action: 'password_reset', subject, subjectId: user.id })
    return 'reset'
  })
