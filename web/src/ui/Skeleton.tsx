import clsx from 'clsx'
import { m } from '~/paraglide/messages'

/** A grey place where something will be; give it the size of that. Decorative: put it inside `Loading`. */
export function Skeleton({ className }: { className?: string }) {
  return <div className={clsx('skeleton', className)} />
}

/** Grey places, and one sentence for screen readers ('Loading…' unless given). */
export function Loading({ text, children }: { text?: string; children: React.ReactNode }) {
  return (
    <div aria-live="polite">
      <span className="sr-only">{text ?? m.loading()}</span>
      <div aria-hidden="true">{children}</div>
    </div>
  )
}
