import type { AppContext } from '../context.ts'
import type { Db } from '../db/pool.ts'
import { recordSessionStart } from './events/new-sign-in-mail.ts'
import { deleteLinks, deleteSignUps, findOnlySignUp, reserveSignUps, takeSessionLink } from './link-queries.ts'
import { endLongestUnusedSessions } from './session-queries.ts'
import { markSignedIn, type UserRow } from './user-queries.ts'

/**
 * Spends the link a session came from, when the session is first used: to open a link proves nothing, because mail
 * scanners open links too. Confirms the address, without a password: who uses the link has the mailbox, but need not
 * have chosen the password of a sign-up (decision mailed-links). For a while this session may still keep the one of a sign-up
 * (see `sign-up-password.ts`). The name comes along if there is no doubt about it. Revokes all other links of the account.
 * Does nothing for a session from no link, or used before.
 *
 * @param user the account, which the caller has locked
 * @returns the account as it is now
 */
export async function spendLink(
  { keyring }: Pick<AppContext, 'keyring'>,
  tx: Db,
  user: UserRow,
  sessionId: string,
): Promise<UserRow> {
  const link = await takeSessionLink(tx, sessionId)
  if (!link) return user
  const signUp = user.email_confirmed_at === null ? await findOnlySignUp(tx, user.id) : undefined
  if (link.purpose === 'signup') await reserveSignUps(tx, user.id, sessionId)
  else await deleteSignUps(tx, user.id)
  await deleteLinks(tx, user.id)
  await endLongestUnusedSessions(tx, user.id)
  await recordSessionStart(tx, keyring, sessionId, 'link_used')
  return markSignedIn(tx, user.id, signUp?.user_metadata ?? user.user_metadata)
}
