import type { Auth } from './context.ts'
import { fail } from './errors.ts'
import { openSession } from './open-session.ts'
import { isOutdated } from './password.ts'
import { type Device, findForSignIn, isBanned, setPasswordHash } from './queries.ts'
import type { OpenSession } from './user-json.ts'

/**
 * Signs in with a password. One answer for an unknown address, a wrong password and an account without one, after the
 * same work; that an address waits for its confirmation or is banned is told to who knows the password only.
 */
export async function signIn(
  { db, passwords }: Auth,
  email: string,
  password: string,
  device: Device,
): Promise<OpenSession> {
  const user = await findForSignIn(db, email)
  const confirmed = user !== undefined && user.email_confirmed_at !== null
  const stored = confirmed ? user.encrypted_password : user?.waiting_password
  const right = await passwords.matches(stored, password)
  if (!user || !stored || !right) fail('invalid_credentials')
  if (!confirmed) fail('email_not_confirmed')
  if (isBanned(user)) fail('user_banned')
  const session = await openSession(db, { userId: user.id, method: 'password', device, password: stored })
  if (!session) fail('invalid_credentials') // the password was changed while it was checked
  if (isOutdated(stored)) await setPasswordHash(db, user.id, stored, await passwords.hash(password))
  return session
}
