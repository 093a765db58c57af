import { LANGUAGE_TAGS, type Locale, TIME_ZONE } from '#contract/product.ts'
import { m } from '#texts/messages.js'

/**
 * Formats a time in Toronto. `Intl` writes the first of a month as '1 mai' in French, where it is '1er mai', and puts spaces at
 * which a line may break around the 'h' of '15 h 05'. In English the one before 'PM' is narrow on Node 24, not on 26.
 */
const format = (at: string, locale: Locale, options: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat(LANGUAGE_TAGS[locale], { ...options, timeZone: TIME_ZONE })
    .formatToParts(new Date(at))
    .map(({ type, value }) =>
      type === 'day' && value === '1' && locale === 'fr-CA'
        ? '1er'
        : type === 'dayPeriod'
          ? value.replaceAll('.', '').toUpperCase() // as in the app (requirements §9)
          : value.replace(/\sh\s/, '\u00a0h\u00a0').replace('\u202f', ' '),
    )
    .join('')

const DAY = { weekday: 'long', year: 'numeric', month: 'long', day: 'numeric' } as const

/**
 * Formats a moment with its zone, because Canada has six: "Friday, November 20, 2026 at 3:05 PM Eastern Standard Time", "le
 * vendredi 20 novembre 2026 à 15 h 05 (heure normale de l’Est)".
 */
export function formatMailTime(at: string, locale: Locale): string {
  const time = format(at, locale, { ...DAY, hour: 'numeric', minute: '2-digit' })
  const zone = new Intl.DateTimeFormat(LANGUAGE_TAGS[locale], { timeZoneName: 'long', timeZone: TIME_ZONE })
    .formatToParts(new Date(at))
    .find(({ type }) => type === 'timeZoneName')!.value
  return m.mail_time({ time, zone }, { locale })
}

/** Formats a day: "Friday, November 27, 2026", "vendredi 27 novembre 2026", "vendredi 1er mai 2026". */
export const formatMailDay = (at: string, locale: Locale): string => format(at, locale, DAY)

/** Formats a day in few characters, for a subject: "Fri., Nov. 27", "ven. 27 nov.". */
export const formatShortMailDay = (at: string, locale: Locale): string =>
  format(at, locale, { weekday: 'short', month: 'short', day: 'numeric' })
