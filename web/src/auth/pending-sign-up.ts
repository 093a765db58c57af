import { paths } from '#contract/paths.ts'
import { href } from '~/lib/i18n/i18n'

const EMAIL_KEY = 'signupEmail' // requirements §3

/**
 * The sign-up on this page that waits for its email. The password is stored nowhere else, and is gone with the page.
 */
let pending: { email: string; password: string } | null = null

/** Stores the address for /verify-email, and the password to sign in with once the address is confirmed. */
export function savePendingSignUp(email: string, password: string) {
  pending = { email, password }
  try {
    localStorage.setItem(EMAIL_KEY, email)
  } catch {
    // storage is blocked: the address is known until the page is closed
  }
}

/** Returns the address to be confirmed; null when this browser knows none. */
export function getPendingEmail(): string | null {
  try {
    return localStorage.getItem(EMAIL_KEY) ?? pending?.email ?? null
  } catch {
    return pending?.email ?? null
  }
}

/** Returns the password of the sign-up; null after a reload, or when another tab has signed up somebody else. */
export const getPendingPassword = (): string | null =>
  pending?.email === getPendingEmail() ? (pending?.password ?? null) : null

/** Clears the pending sign-up once its address is confirmed. */
export function clearPendingSignUp() {
  pending = null
  try {
    localStorage.removeItem(EMAIL_KEY)
  } catch {
    // nothing was stored
  }
}

/** Returns the target for the link in a confirmation email: /verify-email in the language of this page. */
export const verifyEmailUrl = (): string => location.origin + href(paths.verifyEmail())
