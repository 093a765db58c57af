import { useInfiniteQuery } from '@tanstack/react-query'
import { EVENT_RETENTION_DAYS } from '#contract/account-events.ts'
import { EventList } from '~/account-events/EventList'
import { flattenPages } from '~/lib/query/paged'
import { m } from '~/paraglide/messages'
import { ErrorState } from '~/ui/ErrorState'
import { Loading, Skeleton } from '~/ui/Skeleton'
import { FoldedList } from './FoldedList.tsx'
import { ProfileSection } from './ProfileSection.tsx'
import { accountEventsQuery } from './queries.ts'

/** Shows who signed in to the account, or tried to, in the last months. */
export function AccountEvents() {
  const list = useInfiniteQuery(accountEventsQuery)
  const events = list.data && flattenPages(list.data)
  return (
    <ProfileSection title={m.profile_events()} intro={m.profile_events_intro({ days: EVENT_RETENTION_DAYS })}>
      {list.isPending && (
        <Loading>
          <Skeleton className="h-44 w-full" />
        </Loading>
      )}
      {list.isError && !events && <ErrorState error={list.error} onRetry={() => void list.refetch()} />}
      {events && events.length === 0 && <p className="text-ink-soft">{m.events_none()}</p>}
      {events && events.length > 0 && (
        <FoldedList items={events} list={list}>
          {(shown) => <EventList events={shown} />}
        </FoldedList>
      )}
    </ProfileSection>
  )
}
