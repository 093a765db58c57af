import { FRESH_SESSION_S } from '#contract/profile.ts'
import type { Db } from '../db/pool.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Actor } from '../http/actor.ts'
import { HOUR_S } from '../time.ts'
import { deleteOwnerInvitations } from '../vehicle-people/invitation-queries.ts'
import { queueNotice } from './account-notices.ts'
import type { AuthContext } from './context.ts'
import { deleteEmailChange } from './email-change-queries.ts'
import { fail } from './errors.ts'
import { countCurrentPassword } from './limits.ts'
import { revokeLinks } from './link-queries.ts'
import { type Metadata, mergeMetadata } from './metadata.ts'
import { checkNewPassword } from './password.ts'
import { deleteSessions, findSessionAmr } from './session-queries.ts'
import { isRecentlyAuthenticated } from './tokens.ts'
import { findUser, lockUser, type UserRow, updateUser } from './user-queries.ts'

type UserChange = { password?: string | undefined; currentPassword?: string | undefined; metadata: Metadata }

/**
 * How long a session begun by an emailed link or code may set a password without the current one: the email verified
 * the mailbox.
 */
const MAIL_AUTH_MAX_AGE_S = HOUR_S

/**
 * Changes password and metadata. A new password requires the current one, except shortly after signing in; one that is given
 * has to be right. Where there is none, only shortly after signing in. It ends all other sessions, cancels what waits, and is
 * announced by email.
 *
 * @throws AuthError `weak_password`, `current_password_required`, `current_password_invalid`, `same_password`,
 *   `reauthentication_needed`, `validation_failed`
 */
export async function changeUser(
  auth: AuthContext,
  actor: Actor,
  { password, currentPassword, metadata }: UserChange,
): Promise<UserRow> {
  const { db, outbox, passwords } = auth
  if (password !== undefined) checkNewPassword(password)
  const { encrypted_password: currentHash } = (await findUser(db, actor.id)) ?? fail('user_not_found')
  if (password !== undefined) {
    await checkCurrentPassword(auth, actor, currentHash, currentPassword)
    if (currentHash !== null && (await passwords.verify(currentHash, password))) fail('same_password')
  }
  const hash = password === undefined ? undefined : await passwords.hash(password)
  const updated = await inTransaction(db, async (tx) => {
    const user = (await lockUser(tx, actor.id)) ?? fail('user_not_found')
    if (hash !== undefined) {
      if (user.encrypted_password !== currentHash) fail('conflict') // changed by another request since it was checked
      await deleteSessions(tx, actor.id, actor.sessionId, 'others')
      await cancelPending(tx, actor.id)
      await queueNotice(tx, actor.id, 'password_changed', { change: 'changed' })
    }
    if (hash === undefined && Object.keys(metadata).length === 0) return user
    return updateUser(tx, actor.id, hash ?? user.encrypted_password, mergeMetadata(user.user_metadata, metadata))
  })
  if (hash !== undefined) outbox.wake()
  return updated
}

async function checkCurrentPassword(
  auth: AuthContext,
  actor: Actor,
  currentHash: string | null,
  currentPassword: string | undefined,
): Promise<void> {
  if (currentHash === null || !currentPassword) {
    const amr = await findSessionAmr(auth.db, actor.sessionId)
    if (isRecentlyAuthenticated(amr, FRESH_SESSION_S)) return
    if (isRecentlyAuthenticated(amr, MAIL_AUTH_MAX_AGE_S, 'otp')) return
    if (currentHash !== null) fail('current_password_required')
    fail('reauthentication_needed', { message: 'Password update requires reauthentication' })
  }
  const resetFailures = await countCurrentPassword(auth, actor.id)
  if (!(await auth.passwords.verify(currentHash, currentPassword))) fail('current_password_invalid')
  await resetFailures()
}

/**
 * Cancels all of an account that waits to be used, because somebody who knew the password may have made it: links and sign-ups, a
 * change of the address, and invitations to its vehicles. The caller has locked the account.
 */
export async function cancelPending(tx: Db, userId: string): Promise<void> {
  await revokeLinks(tx, userId)
  await deleteEmailChange(tx, userId)
  await deleteOwnerInvitations(tx, userId)
}
