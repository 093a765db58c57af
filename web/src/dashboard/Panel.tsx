import { type ReactNode, useId } from 'react'
import { Link } from '~/lib/i18n'
import { Card } from '~/ui/Card'

type Props = {
  title: string
  badge?: ReactNode
  /** The way to all of them. */
  all?: { to: string; text: string } | false
  children: ReactNode
}

/** A part of the dashboard: the latest few of something. */
export function Panel({ title, badge, all, children }: Props) {
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
        {all && (
          <Link to={all.to} className="link -mb-2 flex min-h-11 items-center justify-self-start">
            {all.text}
          </Link>
        )}
      </Card>
    </section>
  )
}
