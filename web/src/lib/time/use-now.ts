import { useEffect, useState } from 'react'
import { MINUTE_MS } from '#contract/time.ts'
import { now } from './now.ts'

/** Returns `now`, at most a minute old, for texts about dates that pass while the page is open. */
export function useNow(): number {
  const [shown, setShown] = useState(now)
  useEffect(() => {
    const timer = setInterval(() => setShown(now()), MINUTE_MS)
    return () => clearInterval(timer)
  }, [])
  return shown
}
