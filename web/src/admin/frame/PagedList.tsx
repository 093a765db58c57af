import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ErrorState } from '~/ui/ErrorState'
import { Loading } from '~/ui/Skeleton'
import { LoadMore } from '~/ui/signed-in/LoadMore'

type Props = {
  list: UseInfiniteQueryResult
  /** None of the items loaded so far is shown. */
  isEmpty: boolean
  /** Shown while the list is loaded for the first time. */
  skeleton: ReactNode
  empty: ReactNode
  /** The list itself. */
  children: ReactNode
}

/** Shows a list that is loaded page by page, in every state. */
export function PagedList({ list, isEmpty, skeleton, empty, children }: Props) {
  if (list.isPending) return <Loading>{skeleton}</Loading>
  if (!list.data) return <ErrorState error={list.error} onRetry={() => void list.refetch()} />
  return (
    <div className="grid gap-5">
      {isEmpty && !list.hasNextPage ? empty : children}
      <LoadMore list={list} className="justify-self-center" />
    </div>
  )
}
