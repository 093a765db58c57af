import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { flattenPages } from '~/lib/query/paged'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { Skeleton } from '~/ui/Skeleton'
import { Loaded } from '~/ui/signed-in/LoadedPart'
import { LoadMore } from '~/ui/signed-in/LoadMore'
import { ProfileSection } from './frame/ProfileSection.tsx'

/** How many items of a list are shown at first. */
const SHOWN_FIRST = 3

type Props<Item> = {
  title: string
  intro?: string
  list: UseInfiniteQueryResult<InfiniteData<{ items: Item[] }>>
  /** Sorts what was loaded, where the server's order is not the one to show. */
  compare?: (a: Item, b: Item) => number
  /** Shown in place of an empty list. */
  empty?: string
  /** Shown below the list. */
  footer?: ReactNode
  /** Renders the items as list items. */
  children: (items: Item[]) => ReactNode
}

/** Shows a section with the latest items of a list, and all of them on request. */
export function ListSection<Item>({
  title,
  intro = '',
  list,
  compare = () => 0,
  empty,
  footer,
  children,
}: Props<Item>) {
  const [isOpen, setOpen] = useState(false)
  const items = useRef<HTMLUListElement>(null)
  const all = list.data && flattenPages(list.data).sort(compare)
  const showAll = () => {
    flushSync(() => setOpen(true)) // the button is gone: the focus goes to the first of the items that it brought
    const next = items.current?.querySelectorAll('li')[SHOWN_FIRST]
    next?.setAttribute('tabindex', '-1')
    next?.focus()
  }
  return (
    <ProfileSection
      title={title}
      intro={intro}
      aside={
        all &&
        all.length > SHOWN_FIRST &&
        !isOpen && (
          <Button variant="ghost" className="-my-2 -mr-4 min-[18rem]:whitespace-nowrap" onClick={showAll}>
            {m.profile_show_all()}
            <span className="sr-only">: {title}</span>
          </Button>
        )
      }
    >
      <div tabIndex={-1} className="grid gap-4 rounded-lg">
        <Loaded query={{ ...list, data: all }} skeleton={<Skeleton className="h-12 w-full" />}>
          {(loaded) =>
            loaded.length === 0 ? (
              <p className="text-ink-soft">{empty}</p>
            ) : (
              <ul ref={items} className="grid divide-y divide-line *:first:pt-0 *:last:pb-0">
                {children(isOpen ? loaded : loaded.slice(0, SHOWN_FIRST))}
              </ul>
            )
          }
        </Loaded>
        {isOpen && <LoadMore list={list} variant="ghost" className="w-full sm:w-auto sm:justify-self-start" />}
        {footer}
      </div>
    </ProfileSection>
  )
}
