import clsx from 'clsx'
import type { ReactNode } from 'react'
import { m } from '~/paraglide/messages'

/** Shows a grey placeholder; give it the size of what it stands for. Decorative: put it inside `Loading`. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <div className={clsx('skeleton max-w-full animate-pulse rounded-lg bg-line forced-colors:border', className)} />
  )
}

/** Shows placeholders, with one sentence for screen readers ('Loading…' by default). */
export function Loading({ text, children }: { text?: string; children: ReactNode }) {
  return (
    <div aria-live="polite">
      <span className="sr-only">{text ?? m.loading()}</span>
      <div aria-hidden="true">{children}</div>
    </div>
  )
}
