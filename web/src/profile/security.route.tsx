import { useInfiniteQuery } from '@tanstack/react-query'
import { listAccountEvents, listSessions } from '#contract/profile.ts'
import { EventItem } from '~/account-events/EventItem'
import { urlOf } from '~/lib/http/api'
import { privatePageMeta } from '~/lib/page/page-meta'
import type { RouteHandle } from '~/lib/page/route-handle'
import { m } from '~/paraglide/messages'
import { ListSection } from './ListSection.tsx'
import { Password } from './Password.tsx'
import { accountEventsQuery, FACTORS_URL } from './queries.ts'
import { Sessions } from './Sessions.tsx'
import { TwoStep } from './TwoStep.tsx'

export const handle: RouteHandle = {
  prefetch: [FACTORS_URL, urlOf(listSessions, {}), urlOf(listAccountEvents, {})],
}

export const meta = () => privatePageMeta(`${m.profile_part_security()} · ${m.profile_title()}`)

/** Renders the part of the profile about who gets into the account. */
export default function Security() {
  return (
    <>
      <Password />
      <TwoStep />
      <Sessions />
      <ListSection
        title={m.profile_events()}
        intro={m.profile_events_intro()}
        list={useInfiniteQuery(accountEventsQuery)}
        empty={m.events_none()}
      >
        {(events) => events.map((event) => <EventItem key={event.id} event={event} />)}
      </ListSection>
    </>
  )
}
