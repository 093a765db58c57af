import { inTransaction } from '../db/transaction.ts'
import { queueNotice } from './account-notices.ts'
import type { AuthContext } from './context.ts'
import { fail } from './errors.ts'
import { recordSessionStart } from './events.ts'
import { beginSignIn } from './limits.ts'
import type { ClientInfo } from './session-queries.ts'
import { createSession, type IssuedSession } from './sessions.ts'
import { findUserForSignIn, setPasswordHash } from './user-queries.ts'

/**
 * Signs in with a password. An unknown address, a wrong password and an account without one fail in the same way, after the
 * same work; only a caller who knows the password learns that the address is unconfirmed. When many attempts fail,
 * the owner is notified by email; with too many from one network that network waits (see `beginSignIn`).
 *
 * @param ip of the caller
 */
export async function signIn(
  auth: AuthContext,
  ip: string,
  email: string,
  password: string,
  clientInfo: ClientInfo,
): Promise<IssuedSession> {
  const { db, keyring, passwords, outbox } = auth
  const attempt = await beginSignIn(auth, ip, email)
  const user = await findUserForSignIn(db, email)
  const isConfirmed = user !== undefined && user.email_confirmed_at !== null
  const storedHash = isConfirmed ? user.encrypted_password : user?.waiting_password
  const isCorrect = await passwords.verify(storedHash, password, attempt.isFromKnownNetwork)
  if (!user || !storedHash || !isCorrect) {
    if ((await attempt.failed()) && user && isConfirmed) {
      await queueNotice(db, user.id, 'sign_in_failures')
      outbox.wake()
    }
    fail('invalid_credentials')
  }
  if (!isConfirmed) fail('email_not_confirmed')
  const session = await createSession(db, { userId: user.id, method: 'password', clientInfo, passwordHash: storedHash })
  if (!session) fail('invalid_credentials') // the password was changed while it was verified
  await attempt.succeeded()
  if (await passwords.isOutdated(storedHash, password)) {
    await setPasswordHash(db, user.id, storedHash, await passwords.hash(password))
  }
  await inTransaction(db, (tx) => recordSessionStart(tx, keyring, session.id, 'sign_in'))
  return session
}
