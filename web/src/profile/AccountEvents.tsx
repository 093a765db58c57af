import { EVENT_RETENTION_DAYS } from '#contract/account-events.ts'
import { m } from '~/paraglide/messages'
import { Loading, Skeleton } from '~/ui/Skeleton'
import { LoadedPart } from '~/ui/signed-in/LoadedPart'
import { ProfileSection } from './ProfileSection.tsx'
import { useNearViewport } from './use-near-viewport.ts'

// far down on the page: loaded when it comes near the viewport
const loadPages = () => import('./AccountEventPages.tsx')

/** Shows who signed in to the account, or tried to, in the last months. */
export function AccountEvents() {
  const [content, isNear] = useNearViewport()
  return (
    <ProfileSection title={m.profile_events()} intro={m.profile_events_intro({ days: EVENT_RETENTION_DAYS })}>
      <div ref={content} className="grid min-h-12 gap-5">
        {isNear && (
          <LoadedPart name="account events" load={loadPages} skeleton={<EventsSkeleton />}>
            {({ AccountEventPages }) => <AccountEventPages skeleton={<EventsSkeleton />} />}
          </LoadedPart>
        )}
      </div>
    </ProfileSection>
  )
}

function EventsSkeleton() {
  return (
    <Loading>
      <div className="grid gap-4">
        <Skeleton className="h-5 w-56" />
        <Skeleton className="h-5 w-48" />
      </div>
    </Loading>
  )
}
