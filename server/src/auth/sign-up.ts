import type { Locale } from '#contract/product.ts'
import { recordConsent } from '../consent/queries.ts'
import { newId } from '../db/ids.ts'
import { inTransaction } from '../db/transaction.ts'
import { hashPerson } from '../limits/canonical-address.ts'
import { changePreferences } from '../preferences/queries.ts'
import type { AuthContext } from './context.ts'
import { createSession, type IssuedSession } from './create-session.ts'
import { fail } from './errors.ts'
import { queueLinkMail } from './link-mail.ts'
import { insertSignUp, revokeLinks } from './link-queries.ts'
import { findPersonOfMailbox } from './mailbox.ts'
import { type Metadata, resolveLocale } from './metadata.ts'
import type { ClientInfo } from './session-queries.ts'
import { confirmUser, findOrCreateUser, type UserRow } from './user-queries.ts'

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
  const { email, metadata, proofHash, termsVersion, redirectTo } = input
  const hash = await passwords.hash(input.password) // before the account is looked up: the same work for every address
  const outcome = await inTransaction(db, async (tx): Promise<SignUpOutcome> => {
    const newUserId = newId()
    const personHash = await findPersonOfMailbox(tx, hashPerson(keyring, email))
    const user = await findOrCreateUser(tx, newUserId, email, personHash)
    if (user.email_confirmed_at !== null) {
      if (config.AUTH_AUTOCONFIRM) fail('user_already_exists')
      return { state: 'exists', user: createDecoyUser(email, metadata) }
    }
    const locale = resolveLocale(metadata, input.locale)
    await changePreferences(tx, user.id, { locale })
    if (config.AUTH_AUTOCONFIRM) {
      await confirmUser(tx, user.id, hash, metadata)
      await revokeLinks(tx, user.id)
      if (termsVersion !== null) await recordConsent(tx, user.id, { version: termsVersion, locale })
      const session = await createSession(tx, { userId: user.id, method: 'password', clientInfo: input.clientInfo })
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
    const decoy = createDecoyUser(email, metadata)
    return { state: 'to_confirm', user: user.id === newUserId ? { ...decoy, id: user.id } : decoy }
  })
  if (outcome.state === 'to_confirm') outbox.wake()
  return outcome
}

function createDecoyUser(email: string, metadata: Metadata): UserRow {
  const now = new Date().toISOString()
  return {
    id: newId(),
    email,
    person_hash: null,
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
