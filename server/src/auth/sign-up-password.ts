import { recordConsent } from '../consent/queries.ts'
import type { Db } from '../db/pool.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Actor } from '../http/actor.ts'
import { MINUTE_S } from '../time.ts'
import type { AuthContext } from './context.ts'
import { fail } from './errors.ts'
import { deleteSignUps, listReservedSignUps, listSignUpIds, mayKeepOnlySignUp, type SignUpRow } from './link-queries.ts'
import { findSessionAmr } from './session-queries.ts'
import { hashSecret, isRecentlyAuthenticated } from './tokens.ts'
import { findUser, lockUser, updateUser } from './user-queries.ts'

/**
 * Gives an account the consent of a sign-up, with the time of the sign-up. Call it where the account gets that sign-up's
 * password: only then is it known that the person made it (decision mailed-links). Does nothing when it agreed to nothing.
 */
export async function recordSignUpConsent(
  tx: Db,
  userId: string,
  { terms_version: version, terms_locale: locale, created_at }: SignUpRow,
): Promise<void> {
  if (version !== null && locale !== null) await recordConsent(tx, userId, { version, locale, given_at: created_at })
}

/** How long a session begun by a link may choose the password of a sign-up. */
export const KEEP_PASSWORD_S = 15 * MINUTE_S
/** How old the session of a link may be to sign in a browser. */
const LINK_SESSION_MAX_AGE_S = 10 * MINUTE_S

/** What shows that the password of a sign-up is the caller's own: the browser's secret, or the person's word. */
export type PasswordClaim = { secret: string } | { keep: true }

/**
 * Gives an account the password and metadata of a sign-up with its address (decision mailed-links), for the session of the link
 * that confirmed it: the sign-up whose secret the browser knows, or the only one there is if the person says that it is
 * theirs. Works once, and only while the account has no password.
 *
 * @throws AuthError `otp_expired`
 */
export async function keepSignUpPassword({ db }: AuthContext, actor: Actor, claim: PasswordClaim): Promise<void> {
  const isKept = await inTransaction(db, async (tx) => {
    const user = await lockUser(tx, actor.id)
    const signUps = await listReservedSignUps(tx, actor.sessionId, KEEP_PASSWORD_S)
    const signUp =
      'secret' in claim
        ? signUps.find(({ proof_hash }) => proof_hash?.equals(hashSecret(claim.secret)))
        : signUps.length === 1
          ? signUps[0]
          : undefined
    if (!user || !signUp || user.encrypted_password !== null) return false
    await updateUser(tx, user.id, signUp.encrypted_password, { ...signUp.user_metadata, ...user.user_metadata })
    await recordSignUpConsent(tx, user.id, signUp)
    await deleteSignUps(tx, user.id)
    return true
  })
  if (!isKept) fail('otp_expired')
}

/**
 * The password of an account whose address a link confirms:
 * - `set`: it has one, or was made by a code or its link and needs none;
 * - `waiting`: one sign-up waits, whose password its creator may keep;
 * - `missing`: none, or of several sign-ups nobody knows whose they are: one has to be chosen.
 */
type SignUpPasswordState = 'set' | 'waiting' | 'missing'

/**
 * Finds what the page of a link has to ask. Reads only: the link is not spent.
 *
 * @throws AuthError `otp_expired` when the session was not begun by a link, or longer than ten minutes ago: it then came
 *   from somewhere else than the link
 */
export async function findSignUpPasswordState({ db }: AuthContext, actor: Actor): Promise<SignUpPasswordState> {
  const amr = await findSessionAmr(db, actor.sessionId)
  if (!isRecentlyAuthenticated(amr, LINK_SESSION_MAX_AGE_S, 'otp')) fail('otp_expired')
  const user = (await findUser(db, actor.id)) ?? fail('user_not_found')
  if (user.encrypted_password !== null || (await listSignUpIds(db, user.id)).length === 0) return 'set'
  return (await mayKeepOnlySignUp(db, actor.sessionId, KEEP_PASSWORD_S)) ? 'waiting' : 'missing'
}
