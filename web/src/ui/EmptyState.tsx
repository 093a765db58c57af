import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

type Props = { icon: LucideIcon; title: string; children?: ReactNode; action?: ReactNode }

/** Says that there is nothing yet, what would be here, and how to get there. */
export function EmptyState({ icon: Icon, title, children, action }: Props) {
  return (
    <div className="grid justify-items-center gap-3 rounded-2xl border border-dashed border-line-strong px-6 py-12 text-center">
      <Icon aria-hidden="true" className="size-8 text-ink-soft" strokeWidth={1.5} />
      <p className="text-lg font-bold">{title}</p>
      {children && <div className="max-w-prose text-ink-soft">{children}</div>}
      {action && <div className="pt-2">{action}</div>}
    </div>
  )
}
