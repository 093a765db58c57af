import { TERMS_VERSION } from '#contract/terms.ts'

/** The key in localStorage under which this browser remembers who has agreed to which version of the terms. */
export const CONSENT_KEY = 'consent'

/** Returns what is stored for a user who has agreed to the terms in force. */
export const consentRecord = (userId: string) => `${userId} ${TERMS_VERSION}`

/** Returns whether this browser knows that a user has agreed to the terms in force. */
export function isConsentRemembered(userId: string): boolean {
  try {
    return localStorage.getItem(CONSENT_KEY) === consentRecord(userId)
  } catch {
    return false
  }
}

/** Remembers that a user has agreed to the terms in force, so that the server is not asked again. */
export function rememberConsent(userId: string): void {
  try {
    localStorage.setItem(CONSENT_KEY, consentRecord(userId))
  } catch {
    // storage is blocked: the server is asked every time
  }
}
