import { ArrowLeft } from 'lucide-react'
import type { ReactNode, Ref } from 'react'
import { Link } from '~/lib/i18n/i18n'

type Props = {
  /** The page that this one was reached from. */
  back?: { to: string; text: string }
  title: ReactNode
  /** Lets the title have the focus. */
  titleRef?: Ref<HTMLHeadingElement> | undefined
  children?: ReactNode
  action?: ReactNode
}

/** Renders the heading of a page, a line about it, and its main action. */
export function PageHeader({ back, title, titleRef, children, action }: Props) {
  return (
    <>
      {back && (
        <Link to={back.to} className="link inline-flex items-center gap-1.5 py-2.5 print:hidden">
          <ArrowLeft aria-hidden="true" className="size-4" />
          {back.text}
        </Link>
      )}
      <header className="flex flex-col gap-4 pb-6 sm:flex-row sm:items-end sm:justify-between">
        <div className="grid gap-1.5">
          <h1
            ref={titleRef}
            tabIndex={titleRef ? -1 : undefined}
            className="text-3xl font-extrabold outline-none sm:text-4xl"
          >
            {title}
          </h1>
          {children && <div className="max-w-prose text-ink-soft">{children}</div>}
        </div>
        {action && <div className="flex flex-wrap gap-3 *:flex-1 sm:shrink-0 sm:*:flex-none">{action}</div>}
      </header>
    </>
  )
}
