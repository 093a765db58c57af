import clsx from 'clsx'
import { type ReactNode, useId } from 'react'
import { Card } from '~/ui/Card'

type Props = {
  title: string
  intro: string
  /** Beside the title: what has just happened to it. */
  aside?: ReactNode
  /** What cannot be undone is edged in red. */
  danger?: boolean
  children: ReactNode
}

/** One matter of the account on a sheet of its own: what it is about, and beside it, where there is room, the controls. */
export function ProfileSection({ title, intro, aside, danger = false, children }: Props) {
  const heading = useId()
  return (
    <section aria-labelledby={heading}>
      <Card className={clsx('grid gap-5 xl:grid-cols-[17rem_1fr] xl:gap-10', danger && 'border-danger/40!')}>
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

/** The look of a section's button: as wide as a phone, as wide as its text elsewhere. */
export const sectionButton = 'w-full sm:w-auto sm:justify-self-start'
