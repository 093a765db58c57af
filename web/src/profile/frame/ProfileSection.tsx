import clsx from 'clsx'
import { type ReactNode, useId } from 'react'
import { Card } from '~/ui/Card'

type Props = {
  title: string
  intro?: string
  /** Shown beside the title, such as that a change was saved. */
  aside?: ReactNode
  /** Gives the section a red border, for what cannot be undone. */
  danger?: boolean
  children: ReactNode
}

/** Shows one topic of the account on a card: what it is about, and its controls. */
export function ProfileSection({ title, intro, aside, danger = false, children }: Props) {
  const heading = useId()
  return (
    <section aria-labelledby={heading}>
      <Card className={clsx('grid gap-4', danger && 'border-danger/40!')}>
        <div className="grid gap-1">
          <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1.5">
            <h2 id={heading} className={clsx('text-xl font-bold', danger && 'text-danger')}>
              {title}
            </h2>
            {aside}
          </div>
          {intro && <p className="max-w-prose text-ink-soft">{intro}</p>}
        </div>
        {children}
      </Card>
    </section>
  )
}

/** The width of a section's button: that of a phone, or of its text elsewhere. */
export const sectionButtonClass = 'w-full sm:w-auto sm:justify-self-start'
