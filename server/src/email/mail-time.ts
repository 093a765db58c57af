import { LANGUAGE_TAGS, type Locale, TIME_ZONE } from '#contract/product.ts'

/** "Friday, November 20, 2026 at 3:05 p.m. Eastern Standard Time"; the zone is named because Canada has six. */
export const formatMailTime = (at: string, locale: Locale): string =>
  new Intl.DateTimeFormat(LANGUAGE_TAGS[locale], {
    weekday: 'long',
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'long',
    timeZone: TIME_ZONE,
  }).format(new Date(at))
