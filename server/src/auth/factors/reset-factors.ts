import { formatUserSubject, recordActionWithoutReason } from '../../audit/record-action.ts'
import type { Pool } from '../../db/pool.ts'
import { inTransaction } from '../../db/transaction.ts'
import { recordEventOnServer } from '../events/record-event.ts'
import { endAllSessions } from '../session-queries.ts'
import { lockUserByEmail } from '../user-queries.ts'
import { queueFactorMail } from './factor-mail.ts'
import { deleteAllFactors } from './factor-queries.ts'

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
    await queueFactorMail(tx, user.id, 'removed')
    // the command has no session: its actor in the audit log is null
    const subject = formatUserSubject(user.email)
    await recordActionWithoutReason(tx, { actor: null, action: 'factors_reset', subject, subjectId: user.id })
    return 'reset'
  })
