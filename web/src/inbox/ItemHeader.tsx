import { ArrowLeft, CircleUserRound } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import type { InboxItem, InboxKind } from '#contract/inbox.ts'
import { paths } from '#contract/paths.ts'
import { Link } from '~/lib/i18n/i18n'
import { m } from '~/paraglide/messages'
import { Loading, Skeleton } from '~/ui/Skeleton'
import { KINDS } from './inbox-texts.ts'

/** An open item; what the list knows of it (`item`) is missing when the list has not come that far. */
export type ItemProps = { id: string; item: InboxItem | undefined; onDone: () => void }

type Props = {
  kind: InboxKind
  title: ReactNode
  /** Whether its texts are shown, of what shows them on demand only. */
  isOpened?: boolean
  children?: ReactNode
}

/** Renders the heading of the open item, which gets the focus when it is opened, and facts about it. */
export function ItemHeader({ kind, title, isOpened = false, children }: Props) {
  const { key, search } = useLocation()
  const { icon: Icon, name } = KINDS[kind]
  const heading = useRef<HTMLHeadingElement>(null)
  const isFirstPage = key === 'default'
  useEffect(() => {
    // a page that has just loaded leaves the focus where it is
    if (isOpened || !isFirstPage) heading.current?.focus({ preventScroll: true })
  }, [isOpened, isFirstPage])
  return (
    <header className="grid gap-1.5">
      <Link
        to={paths.adminInbox() + search}
        className="link inline-flex items-center gap-1.5 justify-self-start py-2.5 lg:hidden"
      >
        <ArrowLeft aria-hidden="true" className="size-4" />
        {m.admin_inbox_title()}
      </Link>
      <p className="flex items-center gap-2 text-ink-soft">
        <Icon aria-hidden="true" className="size-5" />
        {name()}
      </p>
      <h2 ref={heading} tabIndex={-1} className="text-2xl font-extrabold outline-none">
        {title}
      </h2>
      {children && <div className="flex flex-wrap items-center gap-x-4 gap-y-1 text-ink-soft">{children}</div>}
    </header>
  )
}

/** Leads to the person that an item is about. */
export const PersonLink = ({ id }: { id: string }) => (
  <Link to={paths.adminPerson(id)} className="link inline-flex min-h-11 items-center gap-1.5">
    <CircleUserRound aria-hidden="true" className="size-4" />
    {m.inbox_person()}
  </Link>
)

/** Stands where an item, or its texts, will be. */
export const ItemSkeleton = () => (
  <Loading>
    <Skeleton className="h-80 rounded-2xl!" />
  </Loading>
)
