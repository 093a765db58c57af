import { type Query, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { setConnected } from '~/lib/live/connection-status'
import { openSharedEventStream } from '~/lib/live/shared-event-stream'
import { currentSession, renewToken } from '~/lib/session/session'
import { MARK_MUTATION_KEY, unreadCountQuery } from './queries.ts'

const REFETCH_INTERVAL_MS = 1_000

/** What a notification may be about, by the first part of the keys. The account and its choices are not. */
const AFFECTED_QUERY_KEYS = ['notifications', 'messages', 'vehicles', 'dashboard']

const mayHaveChanged = ({ queryKey }: Query) => AFFECTED_QUERY_KEYS.includes(queryKey[0] as string)

/** Keeps what is on the screen true while the stream of events is open. DashboardLayout runs it once. */
export function useLiveNotifications(userId: string) {
  const queries = useQueryClient()
  useEffect(() => {
    // What a notification is about has changed as well: messages, vehicles, the numbers of the dashboard. A first reading
    // that is under way may have begun before the news: it is shown when it comes, so that nobody waits for a second one,
    // and then read again.
    const refetch = throttle(REFETCH_INTERVAL_MS, () => {
      const first = queries
        .getQueryCache()
        .findAll({ predicate: mayHaveChanged })
        .filter(({ state }) => state.fetchStatus === 'fetching' && state.data === undefined)
      void queries.invalidateQueries({ predicate: (query) => mayHaveChanged(query) && !first.includes(query) })
      for (const { promise, queryKey } of first)
        promise?.then(
          () => queries.invalidateQueries({ queryKey, exact: true }),
          () => {}, // its page says so
        )
    })
    const stop = openSharedEventStream(userId, {
      async getToken() {
        const session = await currentSession()
        return session?.user.id === userId ? session.access_token : null
      },
      onUnauthorized: renewToken,
      onOpen() {
        setConnected(true)
        refetch.now() // whatever happened while there was no connection
      },
      onDisconnected: () => setConnected(false),
      onEvent({ event, data }) {
        // a count from in between several quick marks would show an earlier state; the last of them reads it anew
        if (event === 'unread' && queries.isMutating({ mutationKey: MARK_MUTATION_KEY }) === 0)
          queries.setQueryData(unreadCountQuery.queryKey, JSON.parse(data) as { count: number })
        if (event === 'notification') refetch.now()
      },
    })
    return () => {
      stop()
      refetch.stop()
      setConnected(true)
    }
  }, [queries, userId])
}

/** `now` works at once, unless it has just worked: then once more at the end of the time. A burst is one reading. */
function throttle(milliseconds: number, work: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let again = false
  const now = () => {
    if (timer !== undefined) {
      again = true
      return
    }
    again = false
    work()
    timer = setTimeout(() => {
      timer = undefined
      if (again) now()
    }, milliseconds)
  }
  return { now, stop: () => clearTimeout(timer) }
}
