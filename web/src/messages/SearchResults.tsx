import { useInfiniteQuery } from '@tanstack/react-query'
import { SearchX } from 'lucide-react'
import { flattenPages } from '~/lib/query/paged'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { EmptyState } from '~/ui/EmptyState'
import { ErrorState } from '~/ui/ErrorState'
import { Loading, Skeleton } from '~/ui/Skeleton'
import { type MessageSearch, searchQuery } from './queries.ts'
import { ReceivedCard } from './ReceivedCard.tsx'
import { SentCard } from './SentCard.tsx'

/** Shows the results of a search and how many messages it has gone through, with a button that searches older ones. */
export function SearchResults({ search }: { search: MessageSearch }) {
  const list = useInfiniteQuery(searchQuery(search))
  if (list.isPending)
    return (
      <Loading>
        <Skeleton className="h-40 w-full rounded-2xl" />
      </Loading>
    )
  if (!list.data) return <ErrorState error={list.error} onRetry={() => void list.refetch()} />
  const found = flattenPages(list.data)
  const searched = list.data.pages.reduce((sum, page) => sum + page.searched, 0)
  const searchOlder = () => void list.fetchNextPage()
  return (
    <div className="grid gap-4">
      <p role="status" className="text-sm text-ink-soft">
        {m.messages_search_found({ count: found.length })}{' '}
        {list.hasNextPage ? m.messages_searched_newest({ count: searched }) : m.messages_searched_all()}
      </p>
      {found.length === 0 && !list.hasNextPage && <EmptyState icon={SearchX} title={m.messages_search_none()} />}
      <ul className="grid gap-4 empty:hidden">
        {found.map((message) => (
          <li key={message.id}>
            {'is_read' in message ? (
              <ReceivedCard message={message} linked={null} />
            ) : (
              <SentCard message={message} linked={null} />
            )}
          </li>
        ))}
      </ul>
      {list.isFetchNextPageError && <ErrorState error={list.error} onRetry={searchOlder} />}
      {list.hasNextPage && !list.isFetchNextPageError && (
        <Button
          className="justify-self-center"
          pending={list.isFetchingNextPage}
          pendingText={m.loading()}
          onClick={searchOlder}
        >
          {m.messages_search_older()}
        </Button>
      )}
    </div>
  )
}
