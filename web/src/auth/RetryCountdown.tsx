import { useEffect, useState } from 'react'
import { m } from '~/paraglide/messages'

const MINUTE_S = 60
const SHOW_MINUTES_FROM_S = 2 * MINUTE_S

const waitText = (seconds: number) => {
  if (seconds <= 0) return m.auth_wait_over()
  return seconds < SHOW_MINUTES_FROM_S
    ? m.auth_wait_seconds({ count: seconds })
    : m.auth_wait_minutes({ count: Math.ceil(seconds / MINUTE_S) })
}

/** When the next attempt may be made, counting down. Read out once, not every second. */
export function RetryCountdown({ retryAfterS }: { retryAfterS: number }) {
  const [end] = useState(() => Date.now() + retryAfterS * 1000)
  const [remainingS, setRemainingS] = useState(retryAfterS)
  const isOver = remainingS <= 0
  useEffect(() => {
    if (isOver) return
    const timer = setInterval(() => setRemainingS(Math.ceil((end - Date.now()) / 1000)), 1000)
    return () => clearInterval(timer)
  }, [end, isOver])
  return (
    <>
      <span aria-hidden="true" className="tabular-nums">
        {waitText(remainingS)}
      </span>
      <span className="sr-only">{waitText(retryAfterS)}</span>
    </>
  )
}
