import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import type { ComponentProps } from 'react'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { ErrorState } from '~/ui/ErrorState'

type Props = {
  list: Pick<
    UseInfiniteQueryResult,
    'error' | 'fetchNextPage' | 'hasNextPage' | 'isFetchingNextPage' | 'isFetchNextPageError'
  >
  text?: string
} & Pick<ComponentProps<typeof Button>, 'variant' | 'className'>

/** Loads the next page of a list below it; nothing when there is none, and why when the last attempt failed. */
export function LoadMore({ list, text = m.action_load_more(), ...button }: Props) {
  const loadMore = () => void list.fetchNextPage()
  if (list.isFetchNextPageError) return <ErrorState error={list.error} onRetry={loadMore} />
  if (!list.hasNextPage) return null
  return (
    <Button {...button} pending={list.isFetchingNextPage} pendingText={m.loading()} onClick={loadMore}>
      {text}
    </Button>
  )
}
