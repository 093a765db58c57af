import { TIME_ZONE } from '#contract/product.ts'
import { DAY_MS } from './units.ts'

/** The day in the zone of disputes, counted from a fixed one. */
const dayInDisputeZone = (time: number): number =>
  Date.parse(new Intl.DateTimeFormat('en-CA', { dateStyle: 'short', timeZone: TIME_ZONE }).format(time)) / DAY_MS

/**
 * Days from today until the last day on which documents are awaited, wherever the reader is: 0 today, below zero when it
 * has passed.
 *
 * @param now in milliseconds since 1970
 */
export const daysUntilDue = (iso: string, now: number): number =>
  dayInDisputeZone(Date.parse(iso)) - dayInDisputeZone(now)
