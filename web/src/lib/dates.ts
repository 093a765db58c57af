import { format } from 'date-fns/format'
import { frCA } from 'date-fns/locale/fr-CA'
import { getLocale } from '~/lib/i18n'

const SECOND_MS = 1000
const UNITS = [
  ['year', 365 * 24 * 3600],
  ['month', 30 * 24 * 3600],
  ['week', 7 * 24 * 3600],
  ['day', 24 * 3600],
  ['hour', 3600],
  ['minute', 60],
] as const

/** Date and time as spec §9 writes them ('MMM d, yyyy h:mm a'), in French as one writes them in Canada: 21 nov. 2026, 14 h 05. */
export const exactTime = (iso: string): string =>
  getLocale() === 'fr-CA' ? format(iso, "d MMM yyyy, H' h 'mm", { locale: frCA }) : format(iso, 'MMM d, yyyy h:mm a')

/** The day alone: 'November 21, 2026', '21 novembre 2026'. */
export const longDay = (iso: string): string =>
  getLocale() === 'fr-CA' ? format(iso, 'd MMMM yyyy', { locale: frCA }) : format(iso, 'MMMM d, yyyy')

/** How long ago: '5 minutes ago', 'il y a 5 minutes'; within the last minute 'now', 'maintenant'. */
export function relativeTime(iso: string, now = Date.now()): string {
  const seconds = (new Date(iso).getTime() - now) / SECOND_MS
  const words = new Intl.RelativeTimeFormat(getLocale() === 'fr-CA' ? 'fr-CA' : 'en-CA', { numeric: 'auto' })
  for (const [unit, size] of UNITS) {
    if (Math.abs(seconds) >= size) return words.format(Math.trunc(seconds / size), unit)
  }
  return words.format(0, 'second')
}
