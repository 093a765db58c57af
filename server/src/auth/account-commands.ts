import { formatUserSubject, recordActionWithoutReason } from '../audit/record-action.ts'
import type { Db, Pool } from '../db/pool.ts'
import { inTransaction } from '../db/transaction.ts'
import { recordEventOnServer } from './events/record-event.ts'
import { queueFactorMail } from './factors/factor-mail.ts'
import { deleteAllFactors } from './factors/factor-queries.ts'
import { deleteEveryLink, deleteLinks } from './link-queries.ts'
import { deleteEverySession, endAllSessions } from './session-queries.ts'
import { lockUserByEmail } from './user-queries.ts'

// What the admin command does to an account. It has no session: its actor in the audit log is null.

/**
 * Removes every second factor of an account whose person has lost theirs, and ends its sessions: whoever has what was
 * lost may be signed in. Returns false when it has none.
 */
export const resetFactors = (db: Pool, email: string): Promise<boolean> =>
  inTransaction(db, async (tx) => {
    const user = await lockUserByEmail(tx, email)
    if (!user || (await deleteAllFactors(tx, user.id)) === 0) return false
    await endAllSessions(tx, user.id)
    await recordEventOnServer(tx, user.id, 'factor_removed')
    await queueFactorMail(tx, user.id, 'removed')
    await record(tx, 'factors_reset', user)
    return true
  })

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

const record = (tx: Db, action: 'factors_reset', { id, email }: { id: string; email: string }) =>
  recordActionWithoutReason(tx, { actor: null, action, subject: formatUserSubject(email), subjectId: id })
