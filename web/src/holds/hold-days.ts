import { HOLD_MONTHS_MAX, holdDays } from '#contract/holds.ts'
import { TIME_ZONE } from '#contract/product.ts'
import { formatDate } from '~/lib/dates/dates'
import { m } from '~/paraglide/messages'

/** Returns the first and the last day that a hold can end on today, in Toronto. */
export const possibleDays = () =>
  holdDays(new Intl.DateTimeFormat('en-CA', { timeZone: TIME_ZONE, dateStyle: 'short' }).format(new Date()))

/** Returns what is wrong with a last day; undefined when nothing is. */
export function lastDayError(day: string): string | undefined {
  const { first, last } = possibleDays()
  if (day === '') return m.hold_day_missing()
  return day < first || day > last ? m.hold_day_wrong({ months: HOLD_MONTHS_MAX }) : undefined
}

/** Formats a day ('2026-11-20'), which is the same in every time zone. */
export const formatDay = (day: string): string => formatDate(`${day}T12:00:00`)
