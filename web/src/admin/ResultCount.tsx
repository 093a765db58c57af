import clsx from 'clsx'
import type { Ref } from 'react'

type Props = {
  ref?: Ref<HTMLParagraphElement>
  /** Undefined while the list is loaded for the first time. */
  text: string | undefined
  /** Shows the count to screen readers only, where the page already says that there is nothing. */
  hidden?: boolean
}

/**
 * Shows how many items a list has. Screen readers announce changes, and the focus moves here when its element is gone.
 */
export function ResultCount({ ref, text, hidden = false }: Props) {
  return (
    <p
      ref={ref}
      role="status"
      tabIndex={-1}
      className={clsx(hidden ? 'sr-only' : 'mb-3 w-fit rounded-sm text-sm text-ink-soft empty:hidden')}
    >
      {text}
    </p>
  )
}
