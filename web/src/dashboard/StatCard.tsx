import type { LucideIcon } from 'lucide-react'
import { getLocale, Link } from '~/lib/i18n/i18n'
import { m } from '~/paraglide/messages'

type Props = {
  title: string
  icon: LucideIcon
  stat: { total: number; this_month: number }
  /** The page of what is counted. */
  to: string
}

/** Shows a total and its growth this month; the whole card links to what it counts. */
export function StatCard({ title, icon: Icon, stat, to }: Props) {
  const numberFormat = new Intl.NumberFormat(getLocale())
  return (
    <Link
      to={to}
      className="grid gap-1 rounded-2xl border border-line bg-surface p-4 shadow-card hover:border-line-strong sm:p-6"
    >
      <span className="flex items-start justify-between gap-2 leading-tight font-semibold text-ink-soft">
        {title}
        <Icon aria-hidden="true" className="size-5 shrink-0" />
      </span>
      <span className="text-4xl leading-tight font-extrabold tabular-nums">{numberFormat.format(stat.total)}</span>
      <span className="text-sm text-ink-soft">
        {m.dashboard_this_month({ count: numberFormat.format(stat.this_month) })}
      </span>
    </Link>
  )
}
