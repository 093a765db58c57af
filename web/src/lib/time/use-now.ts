import { useEffect, useState } from 'react'
import { DAY_MS, MINUTE_MS } from '#contract/time.ts'
import { now } from './now.ts'

/**
 * Returns `now`, at most a minute old, for texts about dates that pass while the page is open; also after a phone has slept.
 *
 * @param at a moment at which something changes, in milliseconds since 1970: no later than that
 */
export function useNow(at: number | null = null): number {
  const [shown, setShown] = useState(now)
  useEffect(() => {
    const show = () => setShown(now())
    const timer = setInterval(show, MINUTE_MS)
    document.addEventListener('visibilitychange', show)
    const remaining = (at ?? 0) - now()
    const atThat = remaining > 0 && remaining < DAY_MS ? setTimeout(show, remaining) : undefined
    return () => {
      clearInterval(timer)
      clearTimeout(atThat)
      document.removeEventListener('visibilitychange', show)
    }
  }, [at])
  return shown
}
