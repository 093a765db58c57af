import { useEffect, useState } from 'react'
import { exactTime, relativeTime } from '~/lib/dates'

const MINUTE_MS = 60_000

/** '5 minutes ago', kept up to date; the exact time on pointing at it and for machines. */
export function RelativeTime({ iso }: { iso: string }) {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), MINUTE_MS)
    return () => clearInterval(timer)
  }, [])
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
