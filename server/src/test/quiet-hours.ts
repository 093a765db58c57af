import { Temporal } from 'temporal-polyfill'

const ZONE = 'America/Toronto'
const clockIn = (hours: number): string =>
  Temporal.Now.zonedDateTimeISO(ZONE).add({ hours }).toPlainTime().toString({ smallestUnit: 'minute' })

/** Returns preferences with which it is quiet now, as it is for two hours. */
export const quietNow = () => ({ quiet_from: clockIn(-1), quiet_until: clockIn(2), time_zone: ZONE })

/** Preferences that end quiet hours. */
export const NOT_QUIET = { quiet_from: null, quiet_until: null }
