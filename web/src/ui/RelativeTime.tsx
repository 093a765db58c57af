import { exactTime, relativeTime } from '~/lib/dates'
import { useNow } from '~/lib/use-now'

/** '5 minutes ago', kept up to date; the exact time on pointing at it and for machines. */
export function RelativeTime({ iso }: { iso: string }) {
  const now = useNow()
  return (
    <time dateTime={iso} title={exactTime(iso)}>
      {relativeTime(iso, now)}
    </time>
  )
}

/** The exact time ('MMM d, yyyy h:mm a', spec §9). */
export function ExactTime({ iso }: { iso: string }) {
  return <time dateTime={iso}>{exactTime(iso)}</time>
}
