import { ChevronRight } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import type { Province } from '#contract/provinces.ts'
import { Link } from '~/lib/i18n/i18n'
import { Card } from '~/ui/Card'
import { Plate } from '~/ui/Plate'

type PanelProps = {
  title: string
  badge?: ReactNode
  /** The page of all of them. */
  to: string
  /** Says what will be here. */
  empty: string
  children: ReactNode[]
}

/** Shows the latest few of something, and leads to all of them. */
export function DashboardPanel({ title, badge, to, empty, children }: PanelProps) {
  const heading = useId()
  return (
    <section aria-labelledby={heading}>
      <Card className="h-full px-4! pt-1! pb-2! sm:px-5!">
        <div className="flex flex-wrap items-center gap-x-3">
          <h2 id={heading} className="text-lg font-bold">
            <Link to={to} className="flex min-h-12 items-center gap-1 hover:underline">
              {title}
              <ChevronRight aria-hidden="true" className="size-5 text-ink-soft" />
            </Link>
          </h2>
          {badge}
        </div>
        {children.length === 0 ? (
          <p className="max-w-prose pb-3 text-ink-soft">{empty}</p>
        ) : (
          <ul className="divide-y divide-line">{children}</ul>
        )}
      </Card>
    </section>
  )
}

type RowProps = { to: string; plate: string; province?: Province; children: ReactNode }

/** Shows one of the latest few: its plate, and what is to be said about it in two lines. */
export function DashboardRow({ to, plate, province, children }: RowProps) {
  return (
    <li>
      <Link to={to} className="-mx-2 flex min-h-16 items-center gap-3 rounded-lg px-2 py-1.5 hover:bg-ink/5">
        <Plate plate={plate} province={province} size="sm" className="w-20! shrink-0" />
        {children}
      </Link>
    </li>
  )
}
