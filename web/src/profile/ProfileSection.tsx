import clsx from 'clsx'
import { type ReactNode, useId } from 'react'
import { Card } from '~/ui/Card'

type Props = {
  title: string
  intro: string
  /** Shown beside the title, such as that a change was saved. */
  aside?: ReactNode
  /** Gives the section a red border, for what cannot be undone. */
  danger?: boolean
  children: ReactNode
}

/** Shows one topic of the account on a card: what it is about and, beside it where there is room, the controls. */
export function ProfileSection({ title, intro, aside, danger = false, children }: Props) {
  const heading = useId()
  return (
    <section aria-labelledby={heading} className="@container">
      <Card className={clsx('grid gap-5 @4xl:grid-cols-[17rem_1fr] @4xl:gap-10', danger && 'border-danger/40!')}>
        <div className="grid content-start gap-1.5">
          <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1.5">
            <h2 id={heading} className={clsx('text-xl font-bold', danger && 'text-danger')}>
              {title}
            </h2>
            {aside}
          </div>
          <p className="max-w-prose text-ink-soft">{intro}</p>
        </div>
        <div className="grid min-w-0 content-start gap-5">{children}</div>
      </Card>
    </section>
  )
}

/** The width of a section's button: that of a phone, or of its text elsewhere. */
export const sectionButtonClass = 'w-full sm:w-auto sm:justify-self-start'
