import type { Locale } from '#contract/product.ts'
import type { Logger } from '../log/logger.ts'
import { type AssociatedData, DecryptionError, decryptText, type Keyring } from './envelope-encryption.ts'

/** What it takes to show a sealed text: what opens it, where a damaged one is reported, and the reader's language. */
export type DecryptContext = { keyring: Keyring; log: Logger; locale: Locale }

/** A damaged value is read again with every list; so many are remembered, to report each but once. */
const MAX_REMEMBERED_REPORTS = 10_000
const reported = new WeakMap<Logger, Set<string>>()

/** Reports once a process that a sealed value was damaged or moved: where it stands, nothing of what it holds. */
export function reportUndecryptable(log: Logger, { table, column, id }: AssociatedData) {
  const known = reported.get(log) ?? new Set()
  const name = `${table}.${column}:${id}`
  if (known.has(name)) return
  if (known.size === MAX_REMEMBERED_REPORTS) known.clear()
  reported.set(log, known.add(name))
  log.error({ table, column, id }, 'a sealed value cannot be opened')
}

/** Opens a text for its reader, or says calmly that it cannot be shown: the rest of a list stays readable. */
export function decryptForDisplay(
  { keyring, log, locale }: DecryptContext,
  associatedData: AssociatedData,
  encrypted: Buffer,
  fallback: Record<Locale, string>,
) {
  try {
    return decryptText(keyring, associatedData, encrypted)
  } catch (error) {
    if (!(error instanceof DecryptionError)) throw error
    reportUndecryptable(log, associatedData)
    return fallback[locale]
  }
}
