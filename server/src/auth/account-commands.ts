import type { Pool } from '../db/pool.ts'
import { inTransaction } from '../db/transaction.ts'
import { queueNotice } from './account-notices.ts'
import { recordCommand } from './admin-role.ts'
import { cancelPending } from './change-user.ts'
import { recordEventOnServer } from './events.ts'
import { deleteAllFactors } from './factor-queries.ts'
import { deleteLinks } from './link-queries.ts'
import { deleteEverySession, endAllSessions } from './session-queries.ts'
import { lockUserByEmail, updateUser } from './user-queries.ts'

// What the admin command does to sessions, passwords and second factors.

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
export const signOutEverybody = (db: Pool): Promise<number> => inTransaction(db, deleteEverySession)

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
    await queueNotice(tx, user.id, 'password_changed', { change: 'reset' })
    await recordCommand(tx, 'password_reset', user)
    return 'reset'
  })

/**
 * Removes every second factor of an account whose person has lost theirs, and ends its sessions: somebody who found it may be
 * signed in.
 */
export const resetFactors = (db: Pool, email: string): Promise<'reset' | 'no_factor' | 'unknown'> =>
  inTransaction(db, async (tx) => {
    const user = await lockUserByEmail(tx, email)
    if (!user) return 'unknown'
    if ((await deleteAllFactors(tx, user.id)) === 0) return 'no_factor'
    await endAllSessions(tx, user.id)
    await recordEventOnServer(tx, user.id, 'factor_removed')
    await queueNotice(tx, user.id, 'factor_changed', { change: 'lost' })
    await recordCommand(tx, 'factors_reset', user)
    return 'reset'
  })
