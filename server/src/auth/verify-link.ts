import type { Db } from '../db/pool.ts'
import { inTransaction } from '../db/transaction.ts'
import type { AuthContext } from './context.ts'
import { createSession, type IssuedSession } from './create-session.ts'
import { type AuthErrorCode, fail } from './errors.ts'
import { deleteUnusedSession, findLinkOwner, findSignUp, type LinkRow, lockLink, revokeLinks } from './link-queries.ts'
import type { ClientInfo } from './session-queries.ts'
import { hashSecret } from './tokens.ts'
import { confirmUser, isBanned, lockUser, type UserRow } from './user-queries.ts'

type VerifiedLink = { session: IssuedSession; link: LinkRow }
type Outcome = { state: 'open'; opened: VerifiedLink } | { state: 'refused'; code: AuthErrorCode; status?: number }

/** The purposes that each `type` of the protocol allows; none for types whose links we do not send. */
const PURPOSES_BY_TYPE: Record<string, LinkRow['purpose'][]> = {
  signup: ['signup'],
  magiclink: ['magiclink'],
  recovery: ['recovery'],
  email: ['signup', 'magiclink'],
  invite: [],
  email_change: [],
}

export const isLinkType = (type: string): boolean => Object.hasOwn(PURPOSES_BY_TYPE, type)

/**
 * Creates a session by a link. The link may merely have been opened, perhaps by a scanner: unless `consume` is set it
 * stays valid until the session is first used, and opening it again replaces the unused session.
 *
 * @param consume consumes the link now, because a page requested it
 * @throws AuthError `otp_expired`, `user_banned`
 */
export async function verifyLink(
  { db }: AuthContext,
  token: string,
  type: string,
  clientInfo: ClientInfo,
  consume: boolean,
): Promise<VerifiedLink> {
  const hash = hashSecret(token)
  const outcome = await inTransaction(db, async (tx): Promise<Outcome> => {
    const owner = await findLinkOwner(tx, hash)
    const user = owner && (await lockUser(tx, owner))
    // only now, under the lock: of two who use one link at the same moment the second finds none
    const link = user && (await lockLink(tx, hash))
    if (!link || !PURPOSES_BY_TYPE[type]?.includes(link.purpose)) return { state: 'refused', code: 'otp_expired' }
    if (isBanned(user)) return { state: 'refused', code: 'user_banned', status: 403 }
    if (user.email_confirmed_at === null) await confirmAddress(tx, user, link)
    await deleteUnusedSession(tx, link.request_id)
    if (consume) await revokeLinks(tx, user.id)
    const session = await createSession(tx, {
      userId: user.id,
      method: 'otp',
      clientInfo,
      ...(!consume && { linkRequestId: link.request_id }),
    })
    return session ? { state: 'open', opened: { session, link } } : { state: 'refused', code: 'otp_expired' }
  })
  return outcome.state === 'open' ? outcome.opened : fail(outcome.code, outcome)
}

/**
 * Confirms a verified mailbox. Only the sign-up's own link brings its password: by another link the account starts
 * without one, because somebody else may have chosen it (decision 0062).
 */
async function confirmAddress(tx: Db, user: UserRow, link: LinkRow): Promise<void> {
  const signUp = await findSignUp(tx, user.id)
  const password = link.purpose === 'signup' ? (signUp?.encrypted_password ?? null) : null
  await confirmUser(tx, user.id, password, signUp?.user_metadata ?? user.user_metadata)
}
