import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import clsx from 'clsx'
import type { ReactNode, Ref } from 'react'
import { Loaded } from '~/ui/signed-in/LoadedPart'
import { LoadMore } from '~/ui/signed-in/LoadMore'

type Props = {
  list: UseInfiniteQueryResult
  /** How many items are shown. Screen readers announce changes. */
  count?: string
  /** Where the focus goes when the element that had it is gone. */
  countRef?: Ref<HTMLParagraphElement>
  /** None of the items loaded so far is shown. */
  isEmpty: boolean
  /** Shown while the list is loaded for the first time. */
  skeleton: ReactNode
  empty: ReactNode
  /** The list itself. */
  children: ReactNode
}

/** Shows a list that is loaded page by page, in every state. While its next filter loads, the last result stays, dimmed. */
export function PagedList({ list, count, countRef, isEmpty, skeleton, empty, children }: Props) {
  return (
    <>
      {count !== undefined && (
        <p
          ref={countRef}
          role="status"
          tabIndex={-1}
          className={isEmpty ? 'sr-only' : 'mb-3 w-fit rounded-sm text-sm text-ink-soft empty:hidden'}
        >
          {list.data !== undefined && count}
        </p>
      )}
      <Loaded query={list} skeleton={skeleton}>
        {() => (
          <div
            aria-busy={list.isPlaceholderData}
            className={clsx('grid gap-5 transition-opacity', list.isPlaceholderData && 'opacity-60')}
          >
            {isEmpty && !list.hasNextPage ? empty : children}
            <LoadMore list={list} className="justify-self-center" />
          </div>
        )}
      </Loaded>
    </>
  )
}
