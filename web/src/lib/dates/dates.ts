import { TIME_ZONE } from '#contract/product.ts'
import { DAY_MS, DAY_S, HOUR_S, MINUTE_S, SECOND_MS } from '#contract/time.ts'
import { getLocale, LANGUAGE_TAGS } from '~/lib/i18n/i18n'

const UNITS = [
  ['year', 365 * DAY_S],
  ['month', 30 * DAY_S],
  ['week', 7 * DAY_S],
  ['day', DAY_S],
  ['hour', HOUR_S],
  ['minute', MINUTE_S],
] as const

/** Creates a formatter on first use: creating one takes longer than everything it formats on a page, whose language never changes. */
const lazy = <F>(create: () => F): (() => F) => {
  let cached: F | undefined
  return () => (cached ??= create())
}

const isFrench = () => getLocale() === 'fr-CA'
const languageTag = () => LANGUAGE_TAGS[getLocale()]

const dateTimeFormat = lazy(
  () =>
    // `en-US` names months as requirements §9 does: 'Sep', not 'Sept.'
    new Intl.DateTimeFormat(isFrench() ? 'fr-CA' : 'en-US', {
      year: 'numeric',
      month: 'short',
      day: 'numeric',
      hour: 'numeric',
      minute: '2-digit',
      hourCycle: isFrench() ? 'h23' : 'h12',
    }),
)
const dateFormat = lazy(
  () => new Intl.DateTimeFormat(languageTag(), { year: 'numeric', month: 'long', day: 'numeric' }),
)
const dueDateFormat = lazy(() => new Intl.DateTimeFormat(languageTag(), { dateStyle: 'full', timeZone: TIME_ZONE }))
const agoFormat = lazy(() => new Intl.RelativeTimeFormat(languageTag(), { numeric: 'auto' }))

/** A time as the server writes it, or in milliseconds since 1970. */
type Time = string | number

/** Returns the parts of a time by name, in the reader's time zone. */
const formatToFields = (format: Intl.DateTimeFormat, at: Time): Record<string, string> =>
  Object.fromEntries(format.formatToParts(new Date(at)).map(({ type, value }) => [type, value]))

/** Writes the first of a month as an ordinal, which `Intl` does not do in French. */
const frenchDay = (day = '') => (day === '1' ? '1er' : day)

/** Formats the time of day, unbroken: '2:05 PM', '14 h 05'. */
function formatTime(at: Time, space = '\u00a0'): string {
  const { hour, minute, dayPeriod } = formatToFields(dateTimeFormat(), at)
  return isFrench() ? `${Number(hour)}\u00a0h\u00a0${minute}` : `${hour}:${minute}${space}${dayPeriod}`
}

/** Formats date and time as in requirements §9 ('MMM d, yyyy h:mm a'), in French as is usual in Canada: 21 nov. 2026, 14 h 05. */
export const formatDateTime = (at: Time): string =>
  `${formatShortDate(at)}${isFrench() ? ',' : ''} ${formatTime(at, ' ')}`

/** Formats a day with the month as a format writes it. */
function formatDay(format: Intl.DateTimeFormat, at: Time): string {
  const { month, day, year } = formatToFields(format, at)
  return isFrench() ? `${frenchDay(day)} ${month} ${year}` : `${month} ${day}, ${year}`
}

/** Formats a day in few characters: 'Nov 21, 2026', '21 nov. 2026', '1er nov. 2026'. */
export const formatShortDate = (at: Time): string => formatDay(dateTimeFormat(), at)

/** Formats the day alone: 'November 21, 2026', '21 novembre 2026', '1er novembre 2026'. */
export const formatDate = (iso: string): string => formatDay(dateFormat(), iso)

/** Formats the day alone of what is at most a year old: 'Nov 21', '21 nov.'. */
export function formatDayOfYear(at: Time): string {
  const { month, day } = formatToFields(dateTimeFormat(), at)
  return isFrench() ? `${frenchDay(day)} ${month}` : `${month} ${day}`
}

/** Formats the time alone of what is of the same day as `now`; otherwise as asked. */
export const formatWithinDay = (at: Time, now: Time, otherwise: (at: Time) => string): string =>
  formatShortDate(at) === formatShortDate(now) ? formatTime(at) : otherwise(at)

/** Formats a time: with the day unless it is that of `now`, or only midnight lies between them. */
export function formatTimeNear(at: Time, now: Time): string {
  const apartMs = Math.abs(new Date(at).getTime() - new Date(now).getTime())
  return formatWithinDay(at, now, apartMs < DAY_MS / 2 ? formatTime : formatDateTime)
}

/** Formats the last day for documents: 'Friday, November 27, 2026', 'vendredi 27 novembre 2026'. The texts add the hour. */
export const formatDueDate = (iso: string): string =>
  dueDateFormat()
    .formatToParts(new Date(iso))
    .map(({ type, value }) => (type === 'day' && isFrench() ? frenchDay(value) : value))
    .join('')

/** Formats how long ago something was: '5 minutes ago', 'il y a 5 minutes'; within the last minute 'now', 'maintenant'. */
export function formatRelativeTime(iso: string, now: number): string {
  const seconds = (new Date(iso).getTime() - now) / SECOND_MS
  const formatter = agoFormat()
  for (const [unit, size] of UNITS) {
    if (Math.abs(seconds) >= size) return formatter.format(Math.trunc(seconds / size), unit)
  }
  return formatter.format(0, 'second')
}
