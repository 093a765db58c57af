import { formatUserSubject, recordActionWithoutReason } from '../../audit/record-action.ts'
import type { Pool } from '../../db/pool.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Actor } from '../../http/actor.ts'
import type { AuthContext } from '../context.ts'
import { fail } from '../errors.ts'
import { recordEvent, recordEventOnServer } from '../events/record-event.ts'
import { type ClientInfo, endAllSessions } from '../session-queries.ts'
import { lockUser, lockUserByEmail } from '../user-queries.ts'
import { failFactorNotFound } from './challenge-factor.ts'
import { queueFactorMail } from './factor-mail.ts'
import { deleteAllFactors, deleteFactor, findFactor } from './factor-queries.ts'

/**
 * Removes a factor; sessions verified with it are of level aal1 again. One that counts needs a session that was verified
 * with a factor.
 *
 * @throws AuthError `mfa_factor_not_found`, `insufficient_aal`
 */
export async function removeFactor(
  { db, keyring, outbox }: AuthContext,
  actor: Actor,
  factorId: string,
  clientInfo: ClientInfo,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    await lockUser(tx, actor.id)
    const factor = (await findFactor(tx, actor.id, factorId)) ?? failFactorNotFound()
    if (factor.verified_at !== null && actor.factorAgeS === null) {
      fail('insufficient_aal', { message: 'AAL2 required to unenroll verified factor' })
    }
    await deleteFactor(tx, factor.id)
    if (factor.verified_at === null) return
    await recordEvent(tx, keyring, { userId: actor.id, sessionId: actor.sessionId, clientInfo, type: 'factor_removed' })
    await queueFactorMail(tx, actor.id, 'removed')
  })
  outbox.wake()
}

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
