import { formatDateTime, formatRelativeTime } from '~/lib/dates/dates'
import { useNow } from '~/lib/time/use-now'

/** '5 minutes ago', kept up to date; the exact time on pointing at it and for machines. */
export function RelativeTime({ iso }: { iso: string }) {
  const now = useNow()
  return (
    <time dateTime={iso} title={formatDateTime(iso)}>
      {formatRelativeTime(iso, now)}
    </time>
  )
}

/** The exact time ('MMM d, yyyy h:mm a', requirements §9). */
export function DateTime({ iso }: { iso: string }) {
  return <time dateTime={iso}>{formatDateTime(iso)}</time>
}
