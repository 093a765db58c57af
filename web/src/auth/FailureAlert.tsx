import clsx from 'clsx'
import { CircleAlert, Clock } from 'lucide-react'
import type { ReactNode } from 'react'
import type { AuthFailure } from './auth-error-text.ts'
import { RetryCountdown } from './RetryCountdown.tsx'

/**
 * Why the last attempt failed; read out as it appears. `children` is the way out. Set the failure to null before the
 * next attempt: the same text twice is then read out twice.
 */
export function FailureAlert({ failure, children }: { failure: AuthFailure | null; children?: ReactNode }) {
  return (
    <div role="alert" className="empty:hidden">
      {failure && (
        <div
          className={clsx(
            'flex items-start gap-3 rounded-xl border p-4',
            failure.retryAfterS === undefined
              ? 'border-danger/30 bg-danger-soft text-danger'
              : 'border-warn/30 bg-warn-soft text-warn',
          )}
        >
          {failure.retryAfterS === undefined ? (
            <CircleAlert aria-hidden="true" className="mt-0.5 size-5 shrink-0" />
          ) : (
            <Clock aria-hidden="true" className="mt-0.5 size-5 shrink-0" />
          )}
          <div className="grid min-w-0 gap-1">
            <p className="font-bold">{failure.text}</p>
            {failure.retryAfterS !== undefined && (
              <p>
                <RetryCountdown retryAfterS={failure.retryAfterS} />
              </p>
            )}
            {children}
          </div>
        </div>
      )}
    </div>
  )
}
