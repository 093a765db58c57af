import type { Locale } from '#contract/product.ts'
import { newId } from '../db/ids.ts'
import { inTransaction } from '../db/transaction.ts'
import { changePreferences } from '../preferences/queries.ts'
import type { AuthContext } from './context.ts'
import { createSession, type IssuedSession } from './create-session.ts'
import { fail } from './errors.ts'
import { queueLinkMail } from './link-mail.ts'
import { replaceSignUp, revokeLinks } from './link-queries.ts'
import { type Metadata, resolveLocale } from './metadata.ts'
import type { ClientInfo } from './session-queries.ts'
import { confirmUser, findOrCreateUser, type UserRow } from './user-queries.ts'

export type SignUpInput = {
  email: string
  /** Already checked, see `checkNewPassword`. */
  password: string
  metadata: Metadata
  /** The language the browser prefers. */
  locale: Locale
  redirectTo: string
  clientInfo: ClientInfo
}

export type SignUpOutcome =
  /** An email with the link is queued. */
  | { state: 'to_confirm'; user: UserRow }
  /** The address has a confirmed account: nothing changed and nobody was emailed. `user` is a decoy. */
  | { state: 'exists'; user: UserRow }
  /** Addresses are confirmed without an email (AUTH_AUTOCONFIRM). */
  | { state: 'signed_in'; session: IssuedSession }

/**
 * Signs somebody up. An account whose address is not confirmed has no password: the pending sign-up has it until its
 * link is clicked, and a newer sign-up replaces an older one with its links (decision 0062).
 */
export async function signUp(auth: AuthContext, input: SignUpInput): Promise<SignUpOutcome> {
  const { config, db, passwords, outbox } = auth
  const { email, metadata, redirectTo } = input
  const hash = await passwords.hash(input.password) // before the account is looked up: the same work for every address
  const outcome = await inTransaction(db, async (tx): Promise<SignUpOutcome> => {
    const user = await findOrCreateUser(tx, newId(), email)
    if (user.email_confirmed_at !== null) {
      if (config.AUTH_AUTOCONFIRM) fail('user_already_exists')
      return { state: 'exists', user: createDecoyUser(email, metadata) }
    }
    await changePreferences(tx, user.id, { locale: resolveLocale(metadata, input.locale) })
    if (config.AUTH_AUTOCONFIRM) {
      await confirmUser(tx, user.id, hash, metadata)
      await revokeLinks(tx, user.id)
      const session = await createSession(tx, { userId: user.id, method: 'password', clientInfo: input.clientInfo })
      return session ? { state: 'signed_in', session } : fail('user_not_found')
    }
    const id = newId()
    await replaceSignUp(tx, { id, user_id: user.id, encrypted_password: hash, user_metadata: metadata })
    await queueLinkMail(tx, user.id, 'signup', id, redirectTo)
    const now = new Date().toISOString()
    return { state: 'to_confirm', user: { ...user, confirmation_sent_at: now, user_metadata: metadata } }
  })
  if (outcome.state === 'to_confirm') outbox.wake()
  return outcome
}

function createDecoyUser(email: string, metadata: Metadata): UserRow {
  const now = new Date().toISOString()
  return {
    id: newId(),
    email,
    encrypted_password: null,
    email_confirmed_at: null,
    confirmation_sent_at: now,
    recovery_sent_at: null,
    last_sign_in_at: null,
    user_metadata: metadata,
    is_admin: false,
    banned_until: null,
    created_at: now,
    updated_at: now,
  }
}
