import { useInfiniteQuery } from '@tanstack/react-query'
import { flattenPages } from '~/lib/query/paged'
import { m } from '~/paraglide/messages'
import { ErrorState } from '~/ui/ErrorState'
import { Loading, Skeleton } from '~/ui/Skeleton'
import { LoadMore } from '~/ui/signed-in/LoadMore'
import { EndOtherSessions } from './EndOtherSessions.tsx'
import { ProfileSection } from './ProfileSection.tsx'
import { sessionsQuery } from './queries.ts'
import { SessionItem } from './SessionItem.tsx'

/** Lists where the user is signed in, and can end every other session. */
export function Sessions() {
  const list = useInfiniteQuery(sessionsQuery)
  const sessions = list.data && flattenPages(list.data)
  const alone = sessions?.every(({ current }) => current) && !list.hasNextPage

  return (
    <ProfileSection title={m.profile_sessions()} intro={m.profile_sessions_intro()}>
      {list.isPending && <SessionsSkeleton />}
      {list.isError && !sessions && <ErrorState error={list.error} onRetry={() => void list.refetch()} />}
      {sessions && (
        <>
          <ul className="grid divide-y divide-line *:first:pt-0 *:last:pb-0">
            {sessions.map((session) => (
              <SessionItem key={session.id} session={session} />
            ))}
          </ul>
          {/* its text starts below the names of the devices */}
          <LoadMore list={list} variant="ghost" className="w-full sm:ml-5 sm:w-auto sm:justify-self-start" />
          <EndOtherSessions alone={alone ?? false} />
        </>
      )}
    </ProfileSection>
  )
}

function SessionsSkeleton() {
  return (
    <Loading>
      <div className="grid gap-5">
        {['first', 'second'].map((item) => (
          <div key={item} className="flex items-center gap-3">
            <Skeleton className="size-6" />
            <div className="grid gap-2">
              <Skeleton className="h-5 w-40" />
              <Skeleton className="h-4 w-56" />
            </div>
          </div>
        ))}
      </div>
    </Loading>
  )
}
