import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { ErrorState } from '~/ui/ErrorState'
import { Loading } from '~/ui/Skeleton'

type Props = {
  list: UseInfiniteQueryResult
  /** There is nothing to show, and nothing more to read. */
  isEmpty: boolean
  /** Grey places for the list while it is read for the first time. */
  skeleton: ReactNode
  empty: ReactNode
  /** The list itself. */
  children: ReactNode
}

/** Every state of a list that is read page by page. */
export function PagedList({ list, isEmpty, skeleton, empty, children }: Props) {
  if (list.isPending) return <Loading>{skeleton}</Loading>
  if (!list.data) return <ErrorState error={list.error} onRetry={() => void list.refetch()} />
  return (
    <div className="grid gap-5">
      {isEmpty && !list.hasNextPage ? empty : children}
      {list.isFetchNextPageError && <ErrorState error={list.error} onRetry={() => void list.fetchNextPage()} />}
      {list.hasNextPage && !list.isFetchNextPageError && (
        <Button
          className="justify-self-center"
          pending={list.isFetchingNextPage}
          pendingText={m.loading()}
          onClick={() => void list.fetchNextPage()}
        >
          {m.action_load_more()}
        </Button>
      )}
    </div>
  )
}
