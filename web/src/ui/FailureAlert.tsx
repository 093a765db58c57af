import clsx from 'clsx'
import { CircleAlert, Clock } from 'lucide-react'
import type { ComponentProps } from 'react'
import { ApiError, errorMessage } from '~/lib/http/api'

const tones = {
  danger: { icon: CircleAlert, box: 'border-danger/30 bg-danger-soft', text: 'text-danger' },
  warn: { icon: Clock, box: 'border-warn/30 bg-warn-soft', text: 'text-warn' },
}

type Props = Omit<ComponentProps<'div'>, 'className' | 'title'> & {
  /** `warn` is for a limit: it is nobody's mistake and it passes. */
  tone?: keyof typeof tones
  title: string
  /** Colours the icon and a `danger` title only, for a box that holds buttons and ordinary text. */
  plainText?: boolean
  contentClassName?: string
}

/**
 * Draws a bordered box that says why something failed, with the way out (`children`) below. The caller makes screen
 * readers announce it: by a live region around the box, or by a `role` or the focus on the box itself.
 */
export function FailureAlert({
  tone = 'danger',
  title,
  plainText = false,
  contentClassName = 'gap-1',
  children,
  ...box
}: Props) {
  const { icon: Icon, box: boxClass, text } = tones[tone]
  return (
    <div {...box} className={clsx('flex items-start gap-3 rounded-xl border p-4', boxClass, !plainText && text)}>
      <Icon aria-hidden="true" className={clsx('mt-0.5 size-5 shrink-0', plainText && text)} />
      <div className={clsx('grid', contentClassName)}>
        <p className={clsx('font-bold', plainText && tone === 'danger' && text)}>{title}</p>
        {children}
      </div>
    </div>
  )
}

/** Says why the last attempt failed, if it did, and announces it. */
export const AnnouncedFailure = ({ error }: { error: unknown }) => (
  <div role="alert" className="empty:hidden">
    {error !== null && (
      <FailureAlert
        tone={error instanceof ApiError && error.status === 429 ? 'warn' : 'danger'}
        title={errorMessage(error)}
      />
    )}
  </div>
)
