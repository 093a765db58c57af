import { useEffect, useState } from 'react'
import { m } from '~/paraglide/messages'

const MINUTE_S = 60
const MINUTES_FROM_S = 2 * MINUTE_S

const waitText = (seconds: number) => {
  if (seconds <= 0) return m.auth_wait_over()
  return seconds < MINUTES_FROM_S
    ? m.auth_wait_seconds({ count: seconds })
    : m.auth_wait_minutes({ count: Math.ceil(seconds / MINUTE_S) })
}

/** When the next attempt may be made, counting down. Read out once, not every second. */
export function WaitNotice({ waitS }: { waitS: number }) {
  const [end] = useState(() => Date.now() + waitS * 1000)
  const [left, setLeft] = useState(waitS)
  const over = left <= 0
  useEffect(() => {
    if (over) return
    const timer = setInterval(() => setLeft(Math.ceil((end - Date.now()) / 1000)), 1000)
    return () => clearInterval(timer)
  }, [end, over])
  return (
    <>
      <span aria-hidden="true" className="tabular-nums">
        {waitText(left)}
      </span>
      <span className="sr-only">{waitText(waitS)}</span>
    </>
  )
}
