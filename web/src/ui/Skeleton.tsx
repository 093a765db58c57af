import clsx from 'clsx'
import type { ReactNode } from 'react'
import { m } from '~/paraglide/messages'

/** Shows a grey placeholder; give it the size of what it stands for. Decorative: put it inside `Loading`. */
export function Skeleton({ className }: { className?: string }) {
  return <div className={clsx('skeleton animate-pulse rounded-lg bg-line', className)} />
}

/** Stands in for a list of cards, each with a plate. */
export function CardSkeletons() {
  return (
    <div className="grid grid-cols-1 gap-5">
      {[1, 2, 3].map((card) => (
        <div
          key={card}
          className="grid grid-cols-1 gap-x-6 gap-y-4 rounded-2xl border border-line bg-surface p-5 sm:grid-cols-[auto_1fr] sm:p-6"
        >
          <Skeleton className="h-22 w-44" />
          <div className="grid grid-cols-1 content-start gap-3">
            <Skeleton className="h-6 w-40" />
            <Skeleton className="h-4 w-24" />
            <Skeleton className="h-6 w-36 rounded-full!" />
          </div>
        </div>
      ))}
    </div>
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
