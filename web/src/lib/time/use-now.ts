import { useEffect, useState } from 'react'
import { MINUTE_MS } from '#contract/time.ts'

/** Returns the time in ms since 1970, at most a minute old, for texts about dates that pass while the page is open. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), MINUTE_MS)
    return () => clearInterval(timer)
  }, [])
  return now
}
