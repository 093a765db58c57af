import { useInfiniteQuery } from '@tanstack/react-query'
import { EventItem } from '~/account-events/EventItem'
import { m } from '~/paraglide/messages'
import { ListSection } from './ListSection.tsx'
import { accountEventsQuery } from './queries.ts'

/** Shows who signed in to the account, or tried to, in the last months. */
export function AccountEvents() {
  return (
    <ListSection
      title={m.profile_events()}
      intro={m.profile_events_intro()}
      list={useInfiniteQuery(accountEventsQuery)}
      empty={m.events_none()}
    >
      {(events) => events.map((event) => <EventItem key={event.id} event={event} />)}
    </ListSection>
  )
}
