import clsx from 'clsx'
import { CircleAlert, Clock } from 'lucide-react'
import { type ComponentProps, type ReactNode, useEffect, useState } from 'react'
import { DAY_S, HOUR_S, MINUTE_S, SECOND_MS } from '#contract/time.ts'
import { ApiError, errorMessage } from '~/lib/http/api'
import { getLocale, LANGUAGE_TAGS } from '~/lib/i18n/i18n'
import { m } from '~/paraglide/messages'

const tones = {
  danger: { icon: CircleAlert, box: 'border-danger/30 bg-danger-soft', text: 'text-danger' },
  warn: { icon: Clock, box: 'border-warn/30 bg-warn-soft', text: 'text-warn' },
}

type Props = Omit<ComponentProps<'div'>, 'className' | 'title'> & {
  /** `warn` is for a limit: it is nobody's mistake and it passes. */
  tone?: keyof typeof tones
  title: string
}

/**
 * Draws a bordered box that says why something failed, with the way out (`children`) below. The caller makes screen
 * readers announce it: by a live region around the box, or by a `role` or the focus on the box itself.
 */
export function FailureAlert({ tone = 'danger', title, children, ...box }: Props) {
  const { icon: Icon, box: boxClass, text } = tones[tone]
  return (
    <div {...box} className={clsx('flex items-start gap-3 rounded-xl border p-4', boxClass)}>
      <Icon aria-hidden="true" className={clsx('mt-0.5 size-5 shrink-0', text)} />
      <div className="grid min-w-0 justify-items-start gap-1.5">
        <p className={clsx('font-bold', text)}>{title}</p>
        {children}
      </div>
    </div>
  )
}

type AnnouncedProps = {
  failure: unknown
  /** What to say of it in place of its own text. */
  title?: string
  children?: ReactNode
}

/**
 * Says why the last attempt failed, if it did, and announces it; `children` is the way out. Set the failure to null before the
 * next attempt, so that the same text is announced again.
 */
export function AnnouncedFailure({ failure, title = errorMessage(failure), children }: AnnouncedProps) {
  const retryAfterS = failure instanceof ApiError ? failure.retryAfterS : undefined
  return (
    <div role="alert" className="empty:hidden">
      {failure !== null && (
        <FailureAlert tone={retryAfterS === undefined ? 'danger' : 'warn'} title={title}>
          {retryAfterS !== undefined && <Countdown retryAfterS={retryAfterS} />}
          {children}
        </FailureAlert>
      )}
    </div>
  )
}

/** Up to how long a wait is given in each unit. */
const UNITS = [
  [2 * MINUTE_S, 1, 'second'],
  [90 * MINUTE_S, MINUTE_S, 'minute'],
  [36 * HOUR_S, HOUR_S, 'hour'],
  [Number.POSITIVE_INFINITY, DAY_S, 'day'],
] as const

/** Says how long to wait, rounded up: 'You can try again in 45 seconds', 'in 5 minutes', 'in 3 hours'. */
function waitText(seconds: number): string {
  if (seconds <= 0) return m.wait_over()
  const [, size, unit] = UNITS.find(([limit]) => seconds < limit) ?? UNITS[3]
  const format = new Intl.RelativeTimeFormat(LANGUAGE_TAGS[getLocale()])
  return m.wait_until({ when: format.format(Math.ceil(seconds / size), unit) })
}

/** Counts down to the next attempt. Screen readers announce the wait once, not every second. */
function Countdown({ retryAfterS }: { retryAfterS: number }) {
  const [end] = useState(() => Date.now() + retryAfterS * SECOND_MS)
  const [remainingS, setRemainingS] = useState(retryAfterS)
  const isOver = remainingS <= 0
  useEffect(() => {
    if (isOver) return
    const timer = setInterval(() => setRemainingS(Math.ceil((end - Date.now()) / SECOND_MS)), SECOND_MS)
    return () => clearInterval(timer)
  }, [end, isOver])
  return (
    <p>
      <span aria-hidden="true" className="tabular-nums">
        {waitText(remainingS)}
      </span>
      <span className="sr-only">{waitText(retryAfterS)}</span>
    </p>
  )
}
