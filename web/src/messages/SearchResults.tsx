import { useInfiniteQuery } from '@tanstack/react-query'
import { SearchX } from 'lucide-react'
import { flattenPages } from '~/lib/query/paged'
import { m } from '~/paraglide/messages'
import { EmptyState } from '~/ui/EmptyState'
import { MessagePanes } from './MessagePanes.tsx'
import { type MessageSearch, searchQuery } from './queries.ts'

/** Shows the results of a search and how many messages it has gone through, with a button that searches older ones. */
export function SearchResults({ search }: { search: MessageSearch }) {
  const list = useInfiniteQuery(searchQuery(search))
  const searched = list.data?.pages.reduce((sum, page) => sum + page.searched, 0) ?? 0
  return (
    <MessagePanes
      list={list}
      view={search.view}
      above={
        <p role="status" className="px-3 text-sm text-ink-soft">
          {m.messages_search_found({ count: flattenPages(list.data).length })}{' '}
          {list.hasNextPage ? m.messages_searched_newest({ count: searched }) : m.messages_searched_all()}
        </p>
      }
      empty={!list.hasNextPage && <EmptyState icon={SearchX} title={m.messages_search_none()} />}
      moreText={m.messages_search_older()}
    />
  )
}
