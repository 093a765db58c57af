import type { Db } from '../../db/pool.ts'
import type { Keyring } from '../../encryption/envelope-encryption.ts'
import { findSessionStart, insertSessionStart } from './event-queries.ts'
import { queueNewSignInMail } from './new-sign-in-mail.ts'
import { toOrigin } from './record-event.ts'

/**
 * Records that a session began: with a password, or by the first use of a link. Somebody who signs in from a device or a
 * network not seen before gets an email, because it may be somebody else.
 */
export async function recordSessionStart(
  tx: Db,
  keyring: Keyring,
  sessionId: string,
  type: 'sign_in' | 'link_used',
): Promise<void> {
  const session = await findSessionStart(tx, sessionId)
  if (!session) return // it has ended already
  const origin = toOrigin(keyring, session)
  const userId = session.user_id
  const isNew = await insertSessionStart(tx, { userId, sessionId, type, origin })
  if (isNew) await queueNewSignInMail(tx, userId, origin.device)
}
