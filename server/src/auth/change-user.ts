import { inTransaction } from '../db/transaction.ts'
import type { Actor } from '../http/actor.ts'
import type { Auth } from './context.ts'
import { fail } from './errors.ts'
import { endLinks } from './link-queries.ts'
import { type Metadata, mergeMetadata } from './metadata.ts'
import { checkNewPassword } from './password.ts'
import { queuePasswordChanged } from './password-changed-mail.ts'
import { deleteSessions, findSessionAmr, findUser, lockUser, type UserRow, updateUser } from './queries.ts'

export type UserChange = { password?: string | undefined; currentPassword?: string | undefined; metadata: Metadata }

// somebody who came by a mailed link proved the mailbox; that is worth the old password for so long
const LINK_COUNTS_S = 3600

/**
 * Changes password and metadata. A new password needs the old one, except soon after coming by a link or when there is
 * none; it ends all other sessions and all links, and a mail tells of it.
 *
 * @throws AuthError `weak_password`, `current_password_required`, `current_password_invalid`, `same_password`,
 *   `validation_failed`
 */
export async function changeUser(
  auth: Auth,
  actor: Actor,
  { password, currentPassword, metadata }: UserChange,
): Promise<UserRow> {
  const { config, db, outbox, passwords } = auth
  if (password !== undefined) checkNewPassword(password, config.production)
  const { encrypted_password: old } = (await findUser(db, actor.id)) ?? fail('user_not_found')
  if (password !== undefined && old !== null) {
    await checkOldPassword(auth, actor, old, currentPassword)
    if (await passwords.matches(old, password)) fail('same_password')
  }
  const hash = password === undefined ? undefined : await passwords.hash(password)
  const changed = await inTransaction(db, async (tx) => {
    const user = (await lockUser(tx, actor.id)) ?? fail('user_not_found')
    if (hash !== undefined) {
      if (user.encrypted_password !== old) fail('conflict') // changed by another request since it was checked
      await deleteSessions(tx, actor.id, actor.sessionId, 'others')
      await endLinks(tx, actor.id)
      await queuePasswordChanged(tx, actor.id)
    }
    if (hash === undefined && Object.keys(metadata).length === 0) return user
    return updateUser(tx, actor.id, hash ?? user.encrypted_password, mergeMetadata(user.user_metadata, metadata))
  })
  if (hash !== undefined) outbox.wake()
  return changed
}

async function checkOldPassword(
  { db, limits, passwords }: Auth,
  actor: Actor,
  old: string,
  given: string | undefined,
): Promise<void> {
  const amr = await findSessionAmr(db, actor.sessionId)
  const since = Date.now() / 1000 - LINK_COUNTS_S
  if (amr.some(({ method, timestamp }) => method === 'otp' && timestamp > since)) return
  if (!given) fail('current_password_required')
  const forgetFailures = await limits.currentPassword(actor.id)
  if (!(await passwords.matches(old, given))) fail('current_password_invalid')
  await forgetFailures()
}
