/** The time zones of Canada, from east to west; the chooser names them by places. */
export const CANADIAN_TIME_ZONES = [
  'America/St_Johns',
  'America/Halifax',
  'America/Toronto',
  'America/Winnipeg',
  'America/Regina',
  'America/Edmonton',
  'America/Vancouver',
  'America/Whitehorse',
] as const

/** Maximum length of the name of a time zone; the longest of them has 32 characters. */
const TIME_ZONE_MAX = 64

/** Returns whether a text names a time zone of the IANA database; an offset such as '+05:00' is none. */
export function isTimeZone(name: string): boolean {
  if (name.length > TIME_ZONE_MAX || !/^[A-Za-z][\w+-]*(\/[\w+-]+)*$/.test(name)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}
