import type { LucideIcon } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { Link } from '~/lib/i18n/i18n'
import { Card } from '~/ui/Card'

type Props = {
  title: string
  badge?: ReactNode
  /** The link to all of them. */
  viewAll?: { to: string; text: string } | false
  children: ReactNode
}

/** Shows a part of the dashboard: the latest few of something. */
export function DashboardPanel({ title, badge, viewAll, children }: Props) {
  const heading = useId()
  return (
    <section aria-labelledby={heading}>
      <Card className="grid h-full content-start gap-3">
        <div className="flex min-h-8 flex-wrap items-center gap-x-3 gap-y-1">
          <h2 id={heading} className="text-xl font-bold">
            {title}
          </h2>
          {badge}
        </div>
        {children}
        {viewAll && (
          <Link to={viewAll.to} className="link -mb-2 flex min-h-11 items-center justify-self-start">
            {viewAll.text}
          </Link>
        )}
      </Card>
    </section>
  )
}

/** Says what a panel will show once its list is not empty. */
export function EmptyPanel({ icon: Icon, children }: { icon: LucideIcon; children: string }) {
  return (
    <p className="flex items-start gap-3 rounded-xl bg-sunken p-4 text-ink-soft">
      <Icon aria-hidden="true" className="mt-0.5 size-5 shrink-0" />
      {children}
    </p>
  )
}
