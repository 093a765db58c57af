import type { Locale } from '#contract/product.ts'
import type { Logger } from '../log/logger.ts'
import { type AssociatedData, DecryptionError, decryptText, type Keyring } from './envelope-encryption.ts'

/** Everything needed to show an encrypted text: the keys, a log for damaged ones, and the reader's language. */
export type DecryptContext = { keyring: Keyring; log: Logger; locale: Locale }

/** Remembers this many damaged values, because each is read again with every list but should be reported only once. */
const MAX_REMEMBERED_REPORTS = 10_000
const reported = new WeakMap<Logger, Set<string>>()

/** Reports, once in a process, that a value was damaged or moved. Names its row, and nothing of its contents. */
export function reportUndecryptable(log: Logger, { table, column, id }: AssociatedData) {
  const known = reported.get(log) ?? new Set()
  const name = `${table}.${column}:${id}`
  if (known.has(name)) return
  if (known.size === MAX_REMEMBERED_REPORTS) known.clear()
  reported.set(log, known.add(name))
  log.error({ table, column, id }, 'an encrypted value cannot be opened')
}

/** Opens an encrypted value. Returns null for one that was damaged or moved, which is reported. */
export function openOrReport<T>(log: Logger, associatedData: AssociatedData, open: () => T): T | null {
  try {
    return open()
  } catch (error) {
    if (!(error instanceof DecryptionError)) throw error
    reportUndecryptable(log, associatedData)
    return null
  }
}

/** Decrypts a text for its reader. Returns `fallback` for one that was damaged or moved, so that the rest of a list stays readable. */
export function decryptForDisplay(
  { keyring, log, locale }: DecryptContext,
  associatedData: AssociatedData,
  encrypted: Buffer,
  fallback: (inputs: object, options: { locale: Locale }) => string,
): string {
  return (
    openOrReport(log, associatedData, () => decryptText(keyring, associatedData, encrypted)) ?? fallback({}, { locale })
  )
}
