import { paths } from '#contract/paths.ts'
import { href } from '~/lib/i18n/i18n'

const EMAIL_KEY = 'signupEmail' // requirements §3

/** Who signed up on this page and waits for the e-mail. The password lives here alone and is gone with the page. */
let pending: { email: string; password: string } | null = null

/** Keeps the address for /verify-email, and the password to sign in with once the address is confirmed. */
export function savePendingSignUp(email: string, password: string) {
  pending = { email, password }
  try {
    localStorage.setItem(EMAIL_KEY, email)
  } catch {
    // storage is forbidden: the address lasts as long as the page
  }
}

/** The address that waits to be confirmed; null when none is known in this browser. */
export function getPendingEmail(): string | null {
  try {
    return localStorage.getItem(EMAIL_KEY) ?? pending?.email ?? null
  } catch {
    return pending?.email ?? null
  }
}

/** The password of the sign-up, unless the page was loaded anew or another tab signed up somebody else. */
export const getPendingPassword = (): string | null =>
  pending?.email === getPendingEmail() ? (pending?.password ?? null) : null

/** The address is confirmed. */
export function clearPendingSignUp() {
  pending = null
  try {
    localStorage.removeItem(EMAIL_KEY)
  } catch {
    // nothing was stored
  }
}

/** Where the link of a confirmation mail leads: the page in the language it was asked for in. */
export const verifyEmailUrl = (): string => location.origin + href(paths.verifyEmail())
