import { type ReactNode, useEffect, useState } from 'react'
import { MINUTE_S, SECOND_MS } from '#contract/time.ts'
import { ApiError, errorMessage } from '~/lib/http/api'
import { m } from '~/paraglide/messages'
import { FailureAlert } from '~/ui/FailureAlert'

/**
 * Says why the last attempt failed and announces it; `children` is the way out. Set the failure to null before the next
 * attempt, so that the same text is announced again.
 */
export function AuthFailureAlert({ failure, children }: { failure: unknown; children?: ReactNode }) {
  const retryAfterS = failure instanceof ApiError ? failure.retryAfterS : undefined
  return (
    <div role="alert" className="empty:hidden">
      {failure !== null && (
        <FailureAlert
          tone={retryAfterS === undefined ? 'danger' : 'warn'}
          title={errorMessage(failure)}
          contentClassName="min-w-0 gap-1"
        >
          {retryAfterS !== undefined && (
            <p>
              <RetryCountdown retryAfterS={retryAfterS} />
            </p>
          )}
          {children}
        </FailureAlert>
      )}
    </div>
  )
}

const SHOW_MINUTES_FROM_S = 2 * MINUTE_S

const waitText = (seconds: number) => {
  if (seconds <= 0) return m.auth_wait_over()
  return seconds < SHOW_MINUTES_FROM_S
    ? m.auth_wait_seconds({ count: seconds })
    : m.auth_wait_minutes({ count: Math.ceil(seconds / MINUTE_S) })
}

/** Counts down to the next attempt. Screen readers announce the wait once, not every second. */
function RetryCountdown({ retryAfterS }: { retryAfterS: number }) {
  const [end] = useState(() => Date.now() + retryAfterS * SECOND_MS)
  const [remainingS, setRemainingS] = useState(retryAfterS)
  const isOver = remainingS <= 0
  useEffect(() => {
    if (isOver) return
    const timer = setInterval(() => setRemainingS(Math.ceil((end - Date.now()) / SECOND_MS)), SECOND_MS)
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
