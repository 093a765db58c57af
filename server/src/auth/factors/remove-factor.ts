import { inTransaction } from '../../db/transaction.ts'
import type { Actor } from '../../http/actor.ts'
import type { AuthContext } from '../context.ts'
import { fail } from '../errors.ts'
import { recordEvent } from '../events/record-event.ts'
import type { ClientInfo } from '../session-queries.ts'
import { lockUser } from '../user-queries.ts'
import { failFactorNotFound } from './challenge-factor.ts'
import { queueFactorMail } from './factor-mail.ts'
import { deleteFactor, findFactor } from './factor-queries.ts'

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
