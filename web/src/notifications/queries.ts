import { getUnreadCount, listNotifications, markAllRead, markNotification } from '#contract/notifications.ts'
import { call } from '~/lib/http/api'
import { useOptimisticMutation } from '~/lib/query/mutations'
import { endpointQuery, mapPageItems, pagedQuery } from '~/lib/query/paged'
import { queryClient } from '~/lib/query/query-client'

/** Fetches the number of unread notifications; the event stream keeps it current (use-live-notifications.ts). */
export const unreadCountQuery = {
  ...endpointQuery(['notifications', 'unread-count'], getUnreadCount, {}),
  select: ({ count }: { count: number }) => count,
}

/** Fetches the user's notifications, newest first, page by page. */
export const notificationsQuery = pagedQuery(['notifications', 'list'], listNotifications, {})

/** The key of all mutations that mark notifications. */
export const MARK_MUTATION_KEY = ['notifications', 'mark']

/** Marks one notification read or unread. */
export function useMarkNotification() {
  const mark = (id: string, is_read: boolean) => {
    queryClient.setQueryData(notificationsQuery.queryKey, (data) =>
      mapPageItems(data, (items) => items.map((item) => (item.id === id ? { ...item, is_read } : item))),
    )
    queryClient.setQueryData(
      unreadCountQuery.queryKey,
      (data) => data && { count: Math.max(0, data.count + (is_read ? -1 : 1)) },
    )
  }
  return useOptimisticMutation({
    mutationKey: MARK_MUTATION_KEY,
    networkMode: 'online', // waits for the connection
    mutationFn: (input: { id: string; is_read: boolean }) => call(markNotification, input),
    queryKey: ['notifications'],
    show({ id, is_read }) {
      mark(id, is_read)
      return () => mark(id, !is_read)
    },
  })
}

/** Marks all notifications read. */
export function useMarkAllRead() {
  return useOptimisticMutation({
    mutationKey: MARK_MUTATION_KEY,
    networkMode: 'online', // waits for the connection
    mutationFn: () => call(markAllRead, {}),
    queryKey: ['notifications'],
    show() {
      const before = queryClient.getQueriesData({ queryKey: ['notifications'] })
      queryClient.setQueryData(notificationsQuery.queryKey, (data) =>
        mapPageItems(data, (items) => items.map((item) => ({ ...item, is_read: true }))),
      )
      queryClient.setQueryData(unreadCountQuery.queryKey, { count: 0 })
      return () => {
        for (const [queryKey, data] of before) queryClient.setQueryData(queryKey, data)
      }
    },
  })
}
