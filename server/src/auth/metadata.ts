import { FULL_NAME_MAX } from '#contract/auth.ts'
import type { Locale } from '#contract/product.ts'
import { TERMS_VERSIONS } from '#contract/terms.ts'
import { hasVisibleCharacter } from '#contract/visible-text.ts'
import { failValidation } from './errors.ts'

/** What people state about themselves: `full_name`, `locale`, and whatever else a client stores. */
export type Metadata = Record<string, unknown>

const METADATA_MAX_BYTES = 4096

/**
 * Set by the server alone and shown beside the rest (see protocol/user-json.ts), or no metadata at all
 * (`readSignUpProof`, `readTermsVersion`); what a client sets here is dropped.
 */
const RESERVED_KEYS = [
  ...['is_admin', 'sub', 'email', 'email_verified', 'phone_verified'],
  ...['signup_proof', 'terms_version', 'age_ok'],
]

/** Validates a client's metadata and drops reserved keys. @throws AuthError `validation_failed` */
export function sanitizeMetadata(data: Metadata = {}): Metadata {
  const sanitized = Object.fromEntries(Object.entries(data).filter(([key]) => !RESERVED_KEYS.includes(key)))
  const name = sanitized['full_name']
  if (name !== undefined && name !== null && (typeof name !== 'string' || name.length > FULL_NAME_MAX)) {
    failValidation(`full_name must be a text of at most ${FULL_NAME_MAX} characters`)
  }
  if (typeof name === 'string' && name !== '' && !hasVisibleCharacter(name)) {
    failValidation('full_name must have a visible character')
  }
  return assertSize(sanitized)
}

/**
 * Reads the SHA-256 of a sign-up's secret, in hexadecimal or base64: stored with the sign-up, never in the metadata. Null
 * when there is none. @throws AuthError `validation_failed`
 */
export function readSignUpProof({ signup_proof: proof = null }: Metadata = {}): Buffer | null {
  if (proof === null) return null
  if (typeof proof === 'string' && /^[0-9a-f]{64}$/i.test(proof)) return Buffer.from(proof, 'hex')
  if (typeof proof === 'string' && /^[\w+/-]{43}=?$/.test(proof)) return Buffer.from(proof, 'base64url')
  return failValidation('signup_proof must be a SHA-256')
}

/**
 * Reads which version of the terms a sign-up agrees to (decision terms-consent). Null without the statement about the age, and for
 * anything but a version there is: the app then asks. Never fails, as clients may sign up without either.
 */
export const readTermsVersion = ({ terms_version: version, age_ok: ageOk }: Metadata = {}): string | null =>
  ageOk === true ? (TERMS_VERSIONS.find((known) => known === version) ?? null) : null

/**
 * Merges metadata key by key; null deletes a key. @throws AuthError `validation_failed` when the result is too large
 */
export const mergeMetadata = (old: Metadata, change: Metadata): Metadata =>
  assertSize(Object.fromEntries(Object.entries({ ...old, ...change }).filter(([, value]) => value !== null)))

function assertSize(data: Metadata): Metadata {
  if (Buffer.byteLength(JSON.stringify(data)) > METADATA_MAX_BYTES) failValidation('User data is too large')
  return data
}

/** Returns the language of somebody's emails: the one they chose, otherwise the one their browser prefers. */
export const resolveLocale = ({ locale }: Metadata, requested: Locale): Locale =>
  locale === 'en' ? 'en' : locale === 'fr-CA' || locale === 'fr' ? 'fr-CA' : requested
