import type { Db } from '../db/pool.ts'
import { inTransaction } from '../db/transaction.ts'
import type { AuthContext } from './context.ts'
import { createSession, type IssuedSession } from './create-session.ts'
import { fail } from './errors.ts'
import { deleteUnusedSession, findLinkOwner, findSignUp, type LinkRow, lockLink, revokeLinks } from './link-queries.ts'
import type { ClientInfo } from './session-queries.ts'
import { recordSignUpConsent } from './sign-up-password.ts'
import { hashSecret } from './tokens.ts'
import { confirmUser, lockUser, type UserRow } from './user-queries.ts'

type VerifiedLink = { session: IssuedSession; link: LinkRow }

/** The purposes that each `type` of the protocol allows; none for types whose links we do not send. */
const PURPOSES_BY_TYPE: Record<string, LinkRow['purpose'][]> = {
  signup: ['signup'],
  magiclink: ['magiclink'],
  recovery: ['recovery'],
  email: ['signup', 'magiclink'],
  invite: [],
  email_change: [],
}

/** Returns whether a text is one of GoTrue's types of links. */
export const isLinkType = (type: string): boolean => Object.hasOwn(PURPOSES_BY_TYPE, type)

/**
 * Creates a session by a link.
 *
 * A link that is opened (`consume` is false) may have been opened by a scanner: nothing changes until the session is
 * used (see `spend-link.ts`), and opening it again replaces the unused session.
 *
 * An app that posts the link's token (`consume` is true) spends it now, with the password of its own sign-up: no scanner
 * does that (decision mailed-links).
 *
 * @throws AuthError `otp_expired`
 */
export async function verifyLink(
  { db }: AuthContext,
  token: string,
  type: string,
  clientInfo: ClientInfo,
  consume: boolean,
): Promise<VerifiedLink> {
  const hash = hashSecret(token)
  const opened = await inTransaction(db, async (tx): Promise<VerifiedLink | null> => {
    const owner = await findLinkOwner(tx, hash)
    const user = owner && (await lockUser(tx, owner))
    // only now, under the lock: of two who use one link at the same moment the second finds none
    const link = user && (await lockLink(tx, hash))
    if (!link || !PURPOSES_BY_TYPE[type]?.includes(link.purpose)) return null
    await deleteUnusedSession(tx, link.request_id)
    if (consume) {
      if (user.email_confirmed_at === null) await confirmWithSignUp(tx, user, link)
      await revokeLinks(tx, user.id)
    }
    const session = await createSession(tx, {
      userId: user.id,
      method: 'otp',
      clientInfo,
      ...(!consume && { linkRequestId: link.request_id }),
    })
    return session ? { session, link } : null
  })
  return opened ?? fail('otp_expired')
}

/** Confirms a mailbox, with what belongs to the link's own sign-up; by a link of no sign-up, without a password. */
async function confirmWithSignUp(tx: Db, user: UserRow, link: LinkRow): Promise<void> {
  const signUp = link.sign_up_id === null ? undefined : await findSignUp(tx, link.sign_up_id)
  await confirmUser(tx, user.id, signUp?.encrypted_password ?? null, signUp?.user_metadata ?? user.user_metadata)
  if (signUp) await recordSignUpConsent(tx, user.id, signUp)
}
