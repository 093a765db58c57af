import { DAY_MS } from './units.ts'

/** Disputes are kept in this zone, wherever their sides are (decision 0048). */
export const DISPUTE_TIME_ZONE = 'America/Toronto'

/** The day in the zone of disputes, counted from a fixed one. */
const dayInDisputeZone = (time: number): number =>
  Date.parse(new Intl.DateTimeFormat('en-CA', { dateStyle: 'short', timeZone: DISPUTE_TIME_ZONE }).format(time)) /
  DAY_MS

/**
 * Days from today until the last day on which documents are awaited, wherever the reader is: 0 today, below zero when it
 * has passed.
 *
 * @param now in milliseconds since 1970
 */
export const daysUntilDue = (iso: string, now: number): number =>
  dayInDisputeZone(Date.parse(iso)) - dayInDisputeZone(now)
