import { TERMS_VERSION } from '#contract/terms.ts'
// biome-ignore lint/style/noRestrictedImports: benches run this file in Node, which knows no '~'
import { browserStore } from '../page/storage.ts'

/** The name under which this browser remembers who has agreed to which version of the terms. */
export const CONSENT_KEY = 'consent'

/** Returns what is stored for a user who has agreed to the terms in force. */
export const consentRecord = (userId: string) => `${userId} ${TERMS_VERSION}`

/** Returns whether this browser knows that a user has agreed to the terms in force. */
export const isConsentRemembered = (userId: string): boolean =>
  browserStore.getItem(CONSENT_KEY) === consentRecord(userId)

/** Remembers that a user has agreed to the terms in force, so that the server is not asked again. */
export const rememberConsent = (userId: string): void => browserStore.setItem(CONSENT_KEY, consentRecord(userId))
