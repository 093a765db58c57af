import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { listen } from '~/lib/live'
import { accessToken, renewedToken } from '~/lib/session.client'
import { unreadCountQuery } from './queries.ts'

/** Keeps what is on the screen true while the stream of events is open. DashboardLayout runs it once. */
export function useLiveNotifications() {
  const queries = useQueryClient()
  useEffect(() => {
    // What a notification is about has changed as well: messages, vehicles, the numbers of the dashboard. A first reading
    // that is under way may have begun before the news, and would be taken for the new one: it is begun anew.
    const readAgain = () =>
      void queries
        .cancelQueries({ predicate: ({ state }) => state.fetchStatus === 'fetching' && state.data === undefined })
        .then(() => queries.invalidateQueries())
    return listen({
      token: accessToken,
      onRefused: renewedToken,
      onOpen: readAgain, // whatever happened while there was no connection
      onEvent: ({ event, data }) => {
        if (event === 'unread') queries.setQueryData(unreadCountQuery.queryKey, JSON.parse(data) as { count: number })
        if (event === 'notification') readAgain()
      },
    })
  }, [queries])
}
