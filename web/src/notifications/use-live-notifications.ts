import type { Query } from '@tanstack/react-query'
import { useEffect } from 'react'
import { setConnected } from '~/lib/live/connection-status'
import { followEvents } from '~/lib/live/event-stream'
import { queryClient } from '~/lib/query/query-client'
import { currentSession, renewToken } from '~/lib/session/session'
import { signedInUserId } from '~/lib/session/tab-session'
import { MARK_MUTATION_KEY, unreadCountQuery } from './queries.ts'

const REFETCH_INTERVAL_MS = 1_000

/** The queries that a notification may affect, by the first part of their keys. The account and its preferences are not among them. */
const AFFECTED_QUERY_KEYS = ['notifications', 'messages', 'vehicles', 'dashboard']

const mayHaveChanged = ({ queryKey }: Query) => AFFECTED_QUERY_KEYS.includes(queryKey[0] as string)

/** Keeps the data on the screen current while the page is seen. DashboardLayout calls it once. */
export function useLiveNotifications(userId: string) {
  useEffect(() => {
    // A notification means that its subject has changed too: messages, vehicles, the figures of the dashboard. A first load
    // or a next page in flight may have started before the change: its response is shown, so that nobody waits for a second one
    // or has pressed 'Load more' in vain, and then refetched.
    const refetch = throttle(REFETCH_INTERVAL_MS, () => {
      const awaited = queryClient
        .getQueryCache()
        .findAll({ predicate: mayHaveChanged, fetchStatus: 'fetching' })
        .filter(({ state }) => state.data === undefined || state.fetchMeta)
      void queryClient.invalidateQueries({ predicate: (query) => mayHaveChanged(query) && !awaited.includes(query) })
      for (const { promise, queryKey } of awaited)
        promise?.then(
          () => queryClient.invalidateQueries({ queryKey, exact: true }),
          () => {}, // its page shows the error
        )
    })
    const stop = followEvents({
      async getToken() {
        const session = await currentSession()
        return session?.user.id === userId ? session.access_token : null
      },
      onUnauthorized: renewToken,
      onOpen() {
        setConnected(true)
        refetch.now() // for whatever happened while there was no connection
      },
      onSeen() {
        if (signedInUserId() === userId) refetch.now() // or it was signed out elsewhere while nobody looked
      },
      onDisconnected: () => setConnected(false),
      onEvent({ event, data }) {
        // a count between several quick marks would show an earlier state; the last mark refetches it
        if (event === 'unread' && queryClient.isMutating({ mutationKey: MARK_MUTATION_KEY }) === 0)
          queryClient.setQueryData(unreadCountQuery.queryKey, JSON.parse(data) as { count: number })
        if (event === 'notification' || event === 'changed') refetch.now()
      },
    })
    return () => {
      stop()
      refetch.stop()
      setConnected(true)
    }
  }, [userId])
}

/** Returns `now`, which runs the work at once, or after the interval when it has just run: a burst causes one more run. */
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
