import { formatDateTime, formatRelativeTime, formatTimeNear } from '~/lib/dates/dates'
import { useNow } from '~/lib/time/use-now'

/** Shows '5 minutes ago', or '2:05 PM' by the clock, and keeps it up to date; the exact time is in its tooltip and its `datetime`. */
export function RelativeTime({ iso, byClock }: { iso: string; byClock?: boolean }) {
  const now = useNow()
  return (
    <time dateTime={iso} title={formatDateTime(iso)}>
      {byClock ? formatTimeNear(iso, now) : formatRelativeTime(iso, now)}
    </time>
  )
}

/** Shows the exact time ('MMM d, yyyy h:mm a', requirements §9). */
export function DateTime({ iso }: { iso: string }) {
  return <time dateTime={iso}>{formatDateTime(iso)}</time>
}
