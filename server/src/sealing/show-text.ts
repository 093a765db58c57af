import type { FastifyRequest } from 'fastify'
import type { Locale } from '#contract/product.ts'
import { requestLocale } from '../http/errors.ts'
import type { Logger, Parts } from '../parts.ts'
import { openText, type Place, UnsealError } from './seal.ts'

/** What it takes to show a sealed text: what opens it, where a damaged one is reported, and the reader's language. */
export type Reader = Pick<Parts, 'keyring' | 'log'> & { locale: Locale }

/** Whoever asks, in the language they ask in. */
export const readerOf = ({ keyring, log }: Parts, request: FastifyRequest): Reader => ({
  keyring,
  log,
  locale: requestLocale(request),
})

/** A damaged value is read again with every list; so many are remembered, to report each but once. */
const REPORTS_REMEMBERED = 10_000
const reported = new WeakMap<Logger, Set<string>>()

/** Reports once a process that a sealed value was damaged or moved: where it stands, nothing of what it holds. */
export function reportUnreadable(log: Logger, { table, column, id }: Place) {
  const known = reported.get(log) ?? new Set()
  const name = `${table}.${column}:${id}`
  if (known.has(name)) return
  if (known.size === REPORTS_REMEMBERED) known.clear()
  reported.set(log, known.add(name))
  log.error({ table, column, id }, 'a sealed value cannot be opened')
}

/** Opens a text for its reader, or says calmly that it cannot be shown: the rest of a list stays readable. */
export function showText(
  { keyring, log, locale }: Reader,
  place: Place,
  sealed: Buffer,
  instead: Record<Locale, string>,
) {
  try {
    return openText(keyring, place, sealed)
  } catch (error) {
    if (!(error instanceof UnsealError)) throw error
    reportUnreadable(log, place)
    return instead[locale]
  }
}
