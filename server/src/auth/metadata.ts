import { FULL_NAME_MAX } from '#contract/auth.ts'
import type { Locale } from '#contract/product.ts'
import { failValidation } from './errors.ts'

/** What people state about themselves: `full_name`, `locale`, and whatever else a client stores. */
export type Metadata = Record<string, unknown>

const METADATA_MAX_BYTES = 4096

/**
 * Set by the server alone and shown beside the rest (see protocol/user-json.ts); what a client sets here is dropped.
 */
const RESERVED_KEYS = ['is_admin', 'sub', 'email', 'email_verified', 'phone_verified']

/** Validates a client's metadata and drops reserved keys. @throws AuthError `validation_failed` */
export function sanitizeMetadata(data: Metadata = {}): Metadata {
  const sanitized = Object.fromEntries(Object.entries(data).filter(([key]) => !RESERVED_KEYS.includes(key)))
  const name = sanitized['full_name']
  if (name !== undefined && name !== null && (typeof name !== 'string' || name.length > FULL_NAME_MAX)) {
    failValidation(`full_name must be a text of at most ${FULL_NAME_MAX} characters`)
  }
  return assertSize(sanitized)
}

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
