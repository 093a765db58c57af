import { useEffect, useState } from 'react'
import { MINUTE_MS } from './units.ts'

/** The time in ms since 1970, a minute old at most: for what a page says of dates that pass while it is open. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), MINUTE_MS)
    return () => clearInterval(timer)
  }, [])
  return now
}
