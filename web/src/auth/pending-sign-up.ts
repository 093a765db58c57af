import { shownEmail } from '#contract/auth.ts'
import { paths } from '#contract/paths.ts'
import { HOUR_MS } from '#contract/time.ts'
import { SEND_INTENT_KEY } from '~/lib/form/drafts'
import { href } from '~/lib/i18n/i18n'
import { browserStore, readJson } from '~/lib/page/storage'
import { m } from '~/paraglide/messages'
import { authRequest } from './auth-request.ts'
import { isSendPage } from './safe-redirect.ts'

const EMAIL_KEY = 'signupEmail' // requirements §3
const SECRET_KEY = 'signupSecret'
const BY_CODE_KEY = 'signupByCode'

/**
 * Whose email this page waits for: that of a sign-up, or, without a password, one with a code to log in with. The password
 * is stored nowhere else, and is gone with the page.
 */
let pending: { email: string; password: string | null } | null = null

/** Shows the server that the browser that opens the link is the one that signed up (decision mailed-links). */
type SignUpProof = { secret: string; hash: string }

const toHex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

/** Generates a secret for a sign-up, with its SHA-256; null where the browser cannot: on a page without TLS. */
export async function createSignUpProof(): Promise<SignUpProof | null> {
  if (!isSecureContext) return null
  const secret = toHex(crypto.getRandomValues(new Uint8Array(32)))
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(secret))
  return { secret, hash: toHex(new Uint8Array(hash)) }
}

/**
 * Stores for /verify-email the address that an email was sent to.
 *
 * @param password to sign in with once the address is confirmed; null when a code to log in with was sent
 * @param proof of the sign-up that was just made; undefined when an earlier one may still wait, whose secret stays
 */
export function savePending(email: string, password: string | null, proof?: SignUpProof | null) {
  pending = { email, password }
  const isSameSignUp = proof === undefined && browserStore.getItem(EMAIL_KEY) === email
  browserStore.setItem(EMAIL_KEY, email)
  if (password === null) browserStore.setItem(BY_CODE_KEY, 'yes')
  else browserStore.removeItem(BY_CODE_KEY)
  if (proof) browserStore.setItem(SECRET_KEY, proof.secret)
  else if (!isSameSignUp) browserStore.removeItem(SECRET_KEY)
}

/** Returns the address to be confirmed, as it was typed; null when this browser knows none. */
export const getPendingEmail = (): string | null => browserStore.getItem(EMAIL_KEY) ?? pending?.email ?? null

/**
 * Returns what a page of the history had in its fields when it sent an email; null once the address is confirmed: the next person
 * at this computer may go back.
 */
export const typedBefore = <Typed extends { email?: string }>(state: Typed | null): Typed | null =>
  state?.email !== undefined && state.email === getPendingEmail() ? state : null

/** Returns whether a code to log in with was sent to that address, and not the email of a sign-up. */
export const isPendingByCode = (): boolean => browserStore.getItem(BY_CODE_KEY) !== null

/** Returns whether a typed address is that of a user, in either of its forms. */
export const isAddressOf = (user: Parameters<typeof shownEmail>[0], typed: string | null): boolean =>
  typed !== null && [user.email, shownEmail(user)].includes(typed.toLowerCase())

/** Returns the password of the sign-up; null after a reload, or when another tab has signed up somebody else. */
export const getPendingPassword = (): string | null =>
  pending?.email === getPendingEmail() ? (pending?.password ?? null) : null

/** Returns the secret of the sign-up of `getPendingEmail`; null when this browser has none. */
export const getPendingSecret = (): string | null => browserStore.getItem(SECRET_KEY)

/** Clears what is pending once its address is confirmed. */
export function clearPendingSignUp() {
  pending = null
  for (const name of [EMAIL_KEY, SECRET_KEY, BY_CODE_KEY]) browserStore.removeItem(name)
}

/** Returns the target for the link in a confirmation email: /verify-email in the language of this page. */
export const verifyEmailUrl = (): string => location.origin + href(paths.verifyEmail())

/**
 * Emails a code and a link to sign in with, or to confirm a sign-up with.
 *
 * @param shouldCreateUser whether a new address gets an account
 */
export const emailCode = (email: string, shouldCreateUser: boolean) =>
  authRequest(m.error_unexpected(), ({ auth }) =>
    auth.signInWithOtp({ email, options: { shouldCreateUser, emailRedirectTo: verifyEmailUrl() } }),
  )

/** Long enough for an email to arrive, short enough for a computer that others use. */
const INTENT_KEPT_MS = HOUR_MS

type Intent = { email: string; next: string; until: number }

/**
 * Remembers that somebody wants to send a message, for the link of the email they wait for, which opens in another tab: for an
 * hour, for that address alone, and never what was written, which `draft-handover.ts` brings. Any other page is remembered by its tab only.
 *
 * @param email as it was typed; null: none is waited for
 * @param next where to go afterwards
 */
export function rememberSendIntent(email: string | null, next: string | null | undefined) {
  if (email === null || !next || !isSendPage(next)) return
  browserStore.setItem(
    SEND_INTENT_KEY,
    JSON.stringify({ email, next, until: Date.now() + INTENT_KEPT_MS } satisfies Intent),
  )
}

/** Returns where the owner of an account wanted to go when they asked for an email; null: nowhere, or it is too long ago. */
export function sendIntentOf(user: Parameters<typeof shownEmail>[0]): string | null {
  const { email, next, until } = (readJson(browserStore, SEND_INTENT_KEY) ?? {}) as Partial<Intent>
  const isValid = typeof email === 'string' && typeof next === 'string' && typeof until === 'number'
  return isValid && until > Date.now() && isSendPage(next) && isAddressOf(user, email) ? next : null
}
