import clsx from 'clsx'
import type { Ref } from 'react'

type Props = {
  ref?: Ref<HTMLParagraphElement>
  /** Not there yet while the list is read for the first time. */
  text: string | undefined
  /** For screen readers only: the page says in other words that there is nothing. */
  hidden?: boolean
}

/** How many things a list shows. Screen readers hear it change, and the focus goes here when what had it is gone. */
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
