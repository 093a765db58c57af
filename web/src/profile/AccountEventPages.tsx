import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { EventList } from '~/account-events/EventList'
import { flattenPages } from '~/lib/query/paged'
import { m } from '~/paraglide/messages'
import { ErrorState } from '~/ui/ErrorState'
import { LoadMore } from '~/ui/signed-in/LoadMore'
import { accountEventsQuery } from './account-events-query.ts'

/** Lists what happened to the account, page by page. */
export function AccountEventPages({ skeleton }: { skeleton: ReactNode }) {
  const list = useInfiniteQuery(accountEventsQuery)
  const events = list.data && flattenPages(list.data)
  return (
    <>
      {list.isPending && skeleton}
      {list.isError && !events && <ErrorState error={list.error} onRetry={() => void list.refetch()} />}
      {events && events.length === 0 && <p className="text-ink-soft">{m.events_none()}</p>}
      {events && events.length > 0 && <EventList events={events} />}
      <LoadMore list={list} variant="ghost" className="w-full sm:-ml-4 sm:w-auto sm:justify-self-start" />
    </>
  )
}
