import { DISPUTE_ZONE } from '~/lib/due-days'
import { getLocale, LANGUAGE_TAGS } from '~/lib/i18n'

const SECOND_MS = 1000
const UNITS = [
  ['year', 365 * 24 * 3600],
  ['month', 30 * 24 * 3600],
  ['week', 7 * 24 * 3600],
  ['day', 24 * 3600],
  ['hour', 3600],
  ['minute', 60],
] as const

/** Made when first asked for: making one takes longer than all it writes on a page, which stays in one language. */
const lazy = <F>(make: () => F): (() => F) => {
  let made: F | undefined
  return () => (made ??= make())
}

const inFrench = () => getLocale() === 'fr-CA'
const language = () => LANGUAGE_TAGS[getLocale()]

const momentFormat = lazy(
  () =>
    // `en-US` names months as spec §9 does: 'Sep', not 'Sept.'
    new Intl.DateTimeFormat(inFrench() ? 'fr-CA' : 'en-US', {
      year: 'numeric',
      month: 'short',
      day: 'numeric',
      hour: 'numeric',
      minute: '2-digit',
      hourCycle: inFrench() ? 'h23' : 'h12',
    }),
)
const dayFormat = lazy(() => new Intl.DateTimeFormat(language(), { year: 'numeric', month: 'long', day: 'numeric' }))
const dueDayFormat = lazy(() => new Intl.DateTimeFormat(language(), { dateStyle: 'full', timeZone: DISPUTE_ZONE }))
const untilFormat = lazy(() => new Intl.RelativeTimeFormat(language()))
const agoFormat = lazy(() => new Intl.RelativeTimeFormat(language(), { numeric: 'auto' }))

/** The pieces of a time, in the reader's zone. */
const pieces = (format: Intl.DateTimeFormat, iso: string): Record<string, string> =>
  Object.fromEntries(format.formatToParts(new Date(iso)).map(({ type, value }) => [type, value]))

/** Date and time as spec §9 writes them ('MMM d, yyyy h:mm a'), in French as one writes them in Canada: 21 nov. 2026, 14 h 05. */
export function exactTime(iso: string): string {
  const { month, day, year, hour, minute, dayPeriod } = pieces(momentFormat(), iso)
  return inFrench()
    ? `${day} ${month} ${year}, ${Number(hour)} h ${minute}`
    : `${month} ${day}, ${year} ${hour}:${minute} ${dayPeriod}`
}

/** The day alone: 'November 21, 2026', '21 novembre 2026'. */
export function longDay(iso: string): string {
  const { month, day, year } = pieces(dayFormat(), iso)
  return inFrench() ? `${day} ${month} ${year}` : `${month} ${day}, ${year}`
}

/** The day until whose end documents are awaited: 'Friday, November 27, 2026', 'vendredi 27 novembre 2026'. */
export const dueDay = (iso: string): string => dueDayFormat().format(new Date(iso))

/** From a waiting time of these seconds on, the next larger unit is enough. */
const IN_MINUTES_UNTIL_S = 90 * 60
const IN_HOURS_UNTIL_S = 36 * 3600

/** When something may be tried again, rounded up: 'in 5 minutes', 'dans 3 heures'. */
export function timeUntil(seconds: number): string {
  const words = untilFormat()
  if (seconds <= IN_MINUTES_UNTIL_S) return words.format(Math.max(1, Math.ceil(seconds / 60)), 'minute')
  if (seconds <= IN_HOURS_UNTIL_S) return words.format(Math.ceil(seconds / 3600), 'hour')
  return words.format(Math.ceil(seconds / (24 * 3600)), 'day')
}

/** How long ago: '5 minutes ago', 'il y a 5 minutes'; within the last minute 'now', 'maintenant'. */
export function relativeTime(iso: string, now = Date.now()): string {
  const seconds = (new Date(iso).getTime() - now) / SECOND_MS
  const words = agoFormat()
  for (const [unit, size] of UNITS) {
    if (Math.abs(seconds) >= size) return words.format(Math.trunc(seconds / size), unit)
  }
  return words.format(0, 'second')
}
