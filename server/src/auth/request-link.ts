import { newId } from '../db/ids.ts'
import type { Db } from '../db/pool.ts'
import { inTransaction } from '../db/transaction.ts'
import { queueMail } from '../email/outbox.ts'
import type { Auth } from './context.ts'
import { findSignUp, lockUserByEmail, replaceLinkRequest, type UserRow } from './queries.ts'
import type { LinkPurpose } from './redirects.ts'

/** Queues a mail with a link, in the caller's transaction, which holds the account. After the commit: `outbox.wake()`. */
export async function queueLink(
  tx: Db,
  userId: string,
  purpose: LinkPurpose,
  signUpId: string | null,
  redirectTo: string,
) {
  const id = newId()
  await replaceLinkRequest(tx, { id, user_id: userId, purpose, sign_up_id: signUpId, redirect_to: redirectTo })
  await queueMail(tx, { kind: 'auth_link', refId: id, recipientId: userId })
}

/** Which link an account gets for a call, or null for none. */
export type Choice = (user: UserRow) => LinkPurpose | null

export const forOtp: Choice = (user) => (user.email_confirmed_at ? 'magiclink' : 'signup')
export const forResend: Choice = (user) => (user.email_confirmed_at ? null : 'signup')
export const forRecover: Choice = () => 'recovery'

// longer than a queued mail takes, so that the time of the answer does not tell whether there is an account
const ANSWER_AFTER_MS = 40

/**
 * Sends an address a link, if it has an account and the call has one for it; silent either way.
 *
 * @param redirectTo where a link of a purpose leads
 */
export async function requestLink(
  { db, outbox }: Auth,
  email: string,
  choose: Choice,
  redirectTo: (purpose: LinkPurpose) => string,
) {
  const work = inTransaction(db, async (tx) => {
    const user = await lockUserByEmail(tx, email)
    const purpose = user && choose(user)
    if (!user || !purpose) return
    const signUpId = purpose === 'signup' ? (await findSignUp(tx, user.id))?.id : null
    if (signUpId === undefined) return
    await queueLink(tx, user.id, purpose, signUpId, redirectTo(purpose))
  })
  await Promise.all([work, new Promise((resolve) => setTimeout(resolve, ANSWER_AFTER_MS))])
  outbox.wake()
}
