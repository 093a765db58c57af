import { Temporal } from 'temporal-polyfill'
import { TIME_ZONE } from '#contract/product.ts'

/** When a person wants neither pushes nor emails about messages (decision quiet-hours): local times 'HH:MM'; null: never. */
export type QuietHours = { quiet_from: string | null; quiet_until: string | null; time_zone: string }

/**
 * Returns when the quiet hours end that last at a moment; null outside them. They last without a gap from the first moment
 * at which clocks show their beginning until the last at which they show their end: an hour that winter time repeats is
 * quiet as a whole. Of a time that summer time skips, the change itself takes the place.
 */
export function quietUntil({ quiet_from, quiet_until, time_zone }: QuietHours, now: Date): Date | null {
  if (quiet_from === null || quiet_until === null) return null
  const instant = Temporal.Instant.fromEpochMilliseconds(now.getTime())
  const zone = knownZone(time_zone)
  const today = instant.toZonedDateTimeISO(zone).toPlainDate()
  const lastsOvernight = quiet_until <= quiet_from
  // those of yesterday may last into today
  const ends = [today.subtract({ days: 1 }), today].flatMap((day) => {
    const begin = momentOf(day, quiet_from, zone, 'earlier')
    const end = momentOf(lastsOvernight ? day.add({ days: 1 }) : day, quiet_until, zone, 'later')
    const lasts = Temporal.Instant.compare(begin, instant) <= 0 && Temporal.Instant.compare(instant, end) < 0
    return lasts ? end.epochMilliseconds : []
  })
  return ends.length === 0 ? null : new Date(Math.max(...ends))
}

/** Returns the moment at which clocks show a time: its first or its last one, or the change of clocks that skips it. */
function momentOf(
  day: Temporal.PlainDate,
  time: string,
  zone: string,
  disambiguation: 'earlier' | 'later',
): Temporal.Instant {
  const local = day.toPlainDateTime(Temporal.PlainTime.from(time))
  const found = local.toZonedDateTime(zone, { disambiguation })
  if (found.toPlainDateTime().equals(local)) return found.toInstant()
  const beforeTheGap = local.toZonedDateTime(zone, { disambiguation: 'earlier' })
  return (beforeTheGap.getTimeZoneTransition('next') ?? found).toInstant()
}

/** Returns a stored zone, or the default in place of one that this version of the zone data no longer has. */
function knownZone(zone: string): string {
  try {
    Temporal.Now.zonedDateTimeISO(zone)
    return zone
  } catch {
    return TIME_ZONE
  }
}
