import { FULL_NAME_MAX } from '#contract/auth.ts'
import type { Locale } from '#contract/product.ts'
import { failValidation } from './errors.ts'

/** What people say about themselves: `full_name`, `locale`, and whatever else a client keeps here. */
export type Metadata = Record<string, unknown>

const METADATA_MAX_BYTES = 4096

/** Said by the server alone and shown beside the rest (see user-json.ts); what a client writes under these names is dropped. */
const RESERVED_KEYS = ['is_admin', 'sub', 'email', 'email_verified', 'phone_verified']

/** A client's metadata without what is not its to say. @throws AuthError `validation_failed` */
export function sanitizeMetadata(data: Metadata = {}): Metadata {
  const sanitized = Object.fromEntries(Object.entries(data).filter(([key]) => !RESERVED_KEYS.includes(key)))
  const name = sanitized['full_name']
  if (name !== undefined && name !== null && (typeof name !== 'string' || name.length > FULL_NAME_MAX)) {
    failValidation(`full_name must be a text of at most ${FULL_NAME_MAX} characters`)
  }
  return assertSize(sanitized)
}

/** Merges key by key; null deletes a key. @throws AuthError `validation_failed` when the result is too large */
export const mergeMetadata = (old: Metadata, change: Metadata): Metadata =>
  assertSize(Object.fromEntries(Object.entries({ ...old, ...change }).filter(([, value]) => value !== null)))

function assertSize(data: Metadata): Metadata {
  if (Buffer.byteLength(JSON.stringify(data)) > METADATA_MAX_BYTES) failValidation('User data is too large')
  return data
}

/** The language of somebody's e-mails: what they chose, else what their browser asks for. */
export const resolveLocale = ({ locale }: Metadata, requested: Locale): Locale =>
  locale === 'en' ? 'en' : locale === 'fr-CA' || locale === 'fr' ? 'fr-CA' : requested
