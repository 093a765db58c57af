import type { ReactNode } from 'react'

type Props = { title: string; children?: ReactNode; action?: ReactNode }

/** Renders the heading of a page, a line about it, and its main action. */
export function PageHeader({ title, children, action }: Props) {
  return (
    <header className="flex flex-col gap-4 pb-6 sm:flex-row sm:items-end sm:justify-between">
      <div className="grid gap-1.5">
        <h1 className="text-3xl font-extrabold sm:text-4xl">{title}</h1>
        {children && <div className="max-w-prose text-ink-soft">{children}</div>}
      </div>
      {action && <div className="flex flex-wrap gap-3 *:flex-1 sm:*:flex-none">{action}</div>}
    </header>
  )
}
