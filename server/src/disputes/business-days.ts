import { Temporal } from 'temporal-polyfill'
import { type Locale, TIME_ZONE } from '#contract/product.ts'
import { m } from '#texts/messages.js'
import { formatMailDay } from '../email/mail-time.ts'

/** How long both sides have to send their documents (requirements §9). */
export const DOCUMENTS_BUSINESS_DAYS = 5

const MONDAY = 1
const SATURDAY = 6

const isWeekend = (day: Temporal.PlainDate) => day.dayOfWeek >= SATURDAY

/** Returns the n-th Monday of a month, counted from 1. */
function nthMonday(year: number, month: number, n: number): Temporal.PlainDate {
  const first = Temporal.PlainDate.from({ year, month, day: 1 })
  return first.add({ days: ((MONDAY + 7 - first.dayOfWeek) % 7) + (n - 1) * 7 })
}

/** Returns Easter Sunday of the Gregorian calendar (the "anonymous" algorithm, Nature, 20 April 1876). */
function easterSunday(year: number): Temporal.PlainDate {
  const a = year % 19
  const b = Math.floor(year / 100)
  const c = year % 100
  const d = Math.floor(b / 4)
  const e = b % 4
  const g = Math.floor((8 * b + 13) / 25)
  const h = (19 * a + b - d - g + 15) % 30
  const i = Math.floor(c / 4)
  const k = c % 4
  const l = (32 + 2 * e + 2 * i - h - k) % 7
  const m = Math.floor((a + 11 * h + 22 * l) / 451)
  const sum = h + l - 7 * m + 114
  return Temporal.PlainDate.from({ year, month: Math.floor(sum / 31), day: (sum % 31) + 1 })
}

/** Returns the Monday before 25 May (Holidays Act, R.S.C. 1985, c. H-5). */
function victoriaDay(year: number): Temporal.PlainDate {
  const limit = Temporal.PlainDate.from({ year, month: 5, day: 24 })
  return limit.subtract({ days: limit.dayOfWeek - MONDAY })
}

/**
 * Returns the days off that the public holidays of Ontario (Employment Standards Act, 2000, s. 1) cause in a year, in
 * order: a holiday on a weekend is observed on the next working day, Boxing Day after Christmas Day.
 */
export function ontarioHolidays(year: number): Temporal.PlainDate[] {
  const date = (month: number, day: number) => Temporal.PlainDate.from({ year, month, day })
  const statutory = [
    date(1, 1),
    nthMonday(year, 2, 3), // Family Day
    easterSunday(year).subtract({ days: 2 }), // Good Friday
    victoriaDay(year),
    date(7, 1), // Canada Day
    nthMonday(year, 9, 1), // Labour Day
    nthMonday(year, 10, 2), // Thanksgiving
    date(12, 25),
    date(12, 26),
  ]
  const observed = statutory.filter((day) => !isWeekend(day))
  for (const weekendHoliday of statutory.filter(isWeekend)) {
    let day = weekendHoliday
    while (isWeekend(day) || observed.some((other) => other.equals(day))) day = day.add({ days: 1 })
    observed.push(day)
  }
  return observed.sort((a, b) => Temporal.PlainDate.compare(a, b))
}

const isBusinessDay = (day: Temporal.PlainDate) =>
  !isWeekend(day) && !ontarioHolidays(day.year).some((holiday) => holiday.equals(day))

/**
 * Returns when documents are due: the last second, in Toronto, of the fifth business day after the day of `now` there
 * (decision plate-disputes).
 */
export function getDocumentsDueAt(now: Date): Date {
  let day = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(TIME_ZONE).toPlainDate()
  for (let remaining = DOCUMENTS_BUSINESS_DAYS; remaining > 0; ) {
    day = day.add({ days: 1 })
    if (isBusinessDay(day)) remaining--
  }
  const end = day.toZonedDateTime({ timeZone: TIME_ZONE, plainTime: '23:59:59' })
  return new Date(end.epochMilliseconds)
}

/**
 * Formats a due date with its weekday, hour and zone, in Toronto whatever the reader's: 'Friday, November 27, 2026 (11:59 PM, Eastern
 * time)'. Pages say the same.
 */
export const formatDueDate = (dueAt: string, locale: Locale): string =>
  m.mail_due({ day: formatMailDay(dueAt, locale) }, { locale })
