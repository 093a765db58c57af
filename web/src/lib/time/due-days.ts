import { TIME_ZONE } from '#contract/product.ts'
import { DAY_MS } from '#contract/time.ts'

/** Returns the number of the day, in the time zone of disputes. */
const dayInDisputeZone = (time: number): number =>
  Date.parse(new Intl.DateTimeFormat('en-CA', { dateStyle: 'short', timeZone: TIME_ZONE }).format(time)) / DAY_MS

/**
 * Returns the days from today until the last day for documents, wherever the reader is: 0 when it is today, negative when
 * it has passed.
 *
 * @param now in milliseconds since 1970
 */
export const daysUntilDue = (iso: string, now: number): number =>
  dayInDisputeZone(Date.parse(iso)) - dayInDisputeZone(now)
