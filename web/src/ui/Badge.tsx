import clsx from 'clsx'
import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

export type BadgeTone = 'neutral' | 'good' | 'warn' | 'danger'

const tones: Record<BadgeTone, string> = {
  neutral: 'bg-sunken text-ink-soft ring-line',
  good: 'bg-good-soft text-good ring-good/25',
  warn: 'bg-warn-soft text-warn ring-warn/25',
  danger: 'bg-danger-soft text-danger ring-danger/25',
}

type BadgeProps = { tone?: BadgeTone; icon?: LucideIcon; children: ReactNode }

/** Shows a state. The icon and the text say it; the colour only repeats it. */
export function Badge({ tone = 'neutral', icon: Icon, children }: BadgeProps) {
  return (
    <span
      className={clsx(
        'inline-flex items-center gap-1.5 rounded-full px-2.5 py-1 text-sm leading-none font-bold ring-1 ring-inset',
        tones[tone],
      )}
    >
      {Icon && <Icon aria-hidden="true" className="size-4 shrink-0" />}
      {children}
    </span>
  )
}

/** Marks what is unread; in French the text agrees with what that is. */
export const UnreadMark = ({ text }: { text: string }) => (
  <span className="inline-flex items-center gap-1.5 font-bold text-ink">
    <span aria-hidden="true" className="size-2.5 rounded-full bg-pine forced-color-adjust-none" />
    {text}
  </span>
)

/** Shows a count in red, such as that of unread messages; nothing for zero. Screen readers read `label` instead of the number. */
export function CountBadge({ count, label }: { count: number; label: string }) {
  if (count === 0) return null
  return (
    <span className="grid h-6 min-w-6 place-items-center rounded-full bg-danger-fill px-1.5 text-sm leading-none font-bold text-white tabular-nums">
      <span aria-hidden="true">{count > 99 ? '99+' : count}</span>
      <span className="sr-only">{label}</span>
    </span>
  )
}
