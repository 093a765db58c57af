import type { Locale } from '#contract/product.ts'
import { recordConsent } from '../consent/consent.ts'
import { newId } from '../db/ids.ts'
import type { Db } from '../db/pool.ts'
import { inTransaction } from '../db/transaction.ts'
import { hashSecret } from '../encryption/secrets.ts'
import type { Actor } from '../http/actor.ts'
import { hashPerson } from '../limits/canonical-address.ts'
import { changePreferences } from '../preferences/queries.ts'
import { MINUTE_S } from '../time.ts'
import type { AuthContext } from './context.ts'
import { fail } from './errors.ts'
import { queueLinkMail } from './link-mail.ts'
import {
  deleteSignUps,
  findSessionLinkPurpose,
  findSignUps,
  insertSignUp,
  revokeLinks,
  type SignUpRow,
} from './link-queries.ts'
import { findPersonOfMailbox } from './mailbox.ts'
import { type Metadata, resolveLocale } from './metadata.ts'
import { type ClientInfo, findSessionAmr } from './session-queries.ts'
import { createSession, type IssuedSession } from './sessions.ts'
import { isRecentlyAuthenticated } from './tokens.ts'
import { confirmUser, findOrCreateUser, findUser, lockUser, type UserRow, updateUser } from './user-queries.ts'

type SignUpInput = {
  email: string
  /** Already checked, see `checkNewPassword`. */
  password: string
  metadata: Metadata
  /** Sha256 of a secret that only the browser has; null when it sent none. */
  proofHash: Buffer | null
  /** The version of the terms it agrees to; null: none, and the app will ask. */
  termsVersion: string | null
  /** The language the browser prefers. */
  locale: Locale
  redirectTo: string
  clientInfo: ClientInfo
}

type SignUpOutcome =
  /** An email with the link is queued. `user` is a decoy unless the address is new: an earlier sign-up must not show. */
  | { state: 'to_confirm'; user: UserRow }
  /** The address has a confirmed account: nothing changed and nobody was emailed. `user` is a decoy. */
  | { state: 'exists'; user: UserRow }
  /** Addresses are confirmed without an email (AUTH_AUTOCONFIRM). */
  | { state: 'signed_in'; session: IssuedSession }

/**
 * Signs somebody up. An account whose address is not confirmed has no password: each pending sign-up has its own, and a
 * link of its own (decision mailed-links).
 */
export async function signUp(auth: AuthContext, input: SignUpInput): Promise<SignUpOutcome> {
  const { config, db, keyring, passwords, outbox } = auth
  const { email, metadata, proofHash, termsVersion, redirectTo, clientInfo } = input
  const hash = await passwords.hash(input.password) // before the account is looked up: the same work for every address
  const outcome = await inTransaction(db, async (tx): Promise<SignUpOutcome> => {
    const newUserId = newId()
    const personHash = await findPersonOfMailbox(tx, hashPerson(keyring, email))
    const user = await findOrCreateUser(tx, newUserId, email, personHash)
    if (user.email_confirmed_at !== null) {
      if (config.AUTH_AUTOCONFIRM) fail('user_already_exists')
      return { state: 'exists', user: createDecoyUser(email, personHash, metadata) }
    }
    const locale = resolveLocale(metadata, input.locale)
    await changePreferences(tx, user.id, { locale })
    if (config.AUTH_AUTOCONFIRM) {
      await confirmUser(tx, user.id, hash, metadata)
      await revokeLinks(tx, user.id)
      if (termsVersion !== null) await recordConsent(tx, user.id, { version: termsVersion, locale })
      const session = await createSession(tx, keyring, { userId: user.id, method: 'password', clientInfo })
      return session ? { state: 'signed_in', session } : fail('user_not_found')
    }
    const id = newId()
    await insertSignUp(tx, {
      id,
      user_id: user.id,
      encrypted_password: hash,
      user_metadata: metadata,
      proof_hash: proofHash,
      terms_version: termsVersion,
      terms_locale: termsVersion === null ? null : locale,
    })
    await queueLinkMail(tx, user.id, 'signup', id, redirectTo)
    const decoy = createDecoyUser(email, personHash, metadata)
    return { state: 'to_confirm', user: user.id === newUserId ? { ...decoy, id: user.id } : decoy }
  })
  if (outcome.state === 'to_confirm') outbox.wake()
  return outcome
}

function createDecoyUser(email: string, personHash: Buffer, metadata: Metadata): UserRow {
  const now = new Date().toISOString()
  return {
    id: newId(),
    email,
    person_hash: personHash,
    encrypted_password: null,
    email_confirmed_at: null,
    confirmation_sent_at: now,
    recovery_sent_at: null,
    last_sign_in_at: null,
    user_metadata: metadata,
    is_admin: false,
    created_at: now,
    updated_at: now,
  }
}

// --- the password of a sign-up, once a link has confirmed the address

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
    if (!isRecentlyAuthenticated(await findSessionAmr(tx, actor.sessionId), KEEP_PASSWORD_S)) return false
    const signUps = (await findSignUps(tx, actor.id)).filter(({ session_id }) => session_id === actor.sessionId)
    const signUp =
      'secret' in claim
        ? signUps.find(({ proof_hash }) => proof_hash?.equals(hashSecret(claim.secret)))
        : signUps.find(() => signUps.length === 1)
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
  const [signUp, ...others] = await findSignUps(db, user.id)
  if (user.encrypted_password !== null || !signUp) return 'set'
  const isOfSession =
    signUp.session_id === actor.sessionId || (await findSessionLinkPurpose(db, actor.sessionId)) === 'signup'
  return isOfSession && others.length === 0 ? 'waiting' : 'missing'
}
