import { useInfiniteQuery } from '@tanstack/react-query'
import { EventItem } from '~/account-events/EventItem'
import { PagedList } from '~/admin/frame/PagedList'
import { userEventsQuery } from '~/admin/queries'
import { flattenPages } from '~/lib/query/paged'
import { m } from '~/paraglide/messages'
import { Card } from '~/ui/Card'
import { Skeleton } from '~/ui/Skeleton'

/** Lists what happened to an account, page by page. */
export function AccountEvents({ id }: { id: string }) {
  const list = useInfiniteQuery(userEventsQuery(id))
  const events = flattenPages(list.data)
  return (
    <section aria-labelledby="events" className="grid gap-3">
      <h2 id="events" className="text-xl font-bold">
        {m.events_title()}
      </h2>
      <PagedList
        list={list}
        isEmpty={events.length === 0}
        skeleton={<Skeleton className="h-40 w-full" />}
        empty={<p className="text-ink-soft">{m.events_none()}</p>}
      >
        <Card>
          <ul className="grid divide-y divide-line *:first:pt-0 *:last:pb-0">
            {events.map((event) => (
              <EventItem key={event.id} event={event} showNetworks />
            ))}
          </ul>
        </Card>
      </PagedList>
    </section>
  )
}
