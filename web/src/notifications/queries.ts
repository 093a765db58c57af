import {
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { getUnreadCount, listNotifications, markAllRead, markNotification } from '#contract/notifications.ts'
import { call } from '~/lib/http/api'
import { isLastMutation } from '~/lib/query/mutations'
import { cursorParams, mapPageItems, pagedQueryOptions } from '~/lib/query/paged'
import { toast } from '~/lib/toast/toast'

/** Fetches the number of unread notifications; the event stream keeps it current (use-live-notifications.ts). */
export const unreadCountQuery = queryOptions({
  queryKey: ['notifications', 'unread-count'],
  queryFn: ({ signal }) => call(getUnreadCount, {}, { signal }),
  select: ({ count }) => count,
})

/** Fetches the user's notifications, newest first, page by page. */
export const notificationsQuery = infiniteQueryOptions({
  ...pagedQueryOptions,
  queryKey: ['notifications', 'list'],
  queryFn: ({ pageParam, signal }) => call(listNotifications, cursorParams(pageParam), { signal }),
})

/** The key of all mutations that mark notifications. */
export const MARK_MUTATION_KEY = ['notifications', 'mark']

/** Marks one notification read or unread. The screen changes at once, and back when the server refuses. */
export function useMarkNotification() {
  const queries = useQueryClient()
  const show = (id: string, is_read: boolean) => {
    queries.setQueryData(notificationsQuery.queryKey, (data) =>
      mapPageItems(data, (items) => items.map((item) => (item.id === id ? { ...item, is_read } : item))),
    )
    queries.setQueryData(
      unreadCountQuery.queryKey,
      (data) => data && { count: Math.max(0, data.count + (is_read ? -1 : 1)) },
    )
  }
  return useMutation({
    mutationKey: MARK_MUTATION_KEY,
    mutationFn: (input: { id: string; is_read: boolean }) => call(markNotification, input),
    onMutate: async ({ id, is_read }) => {
      await queries.cancelQueries({ queryKey: ['notifications'] })
      show(id, is_read)
    },
    onError: (error, { id, is_read }) => {
      show(id, !is_read)
      toast.error(error)
    },
    onSettled: () => refetchAfterLastMark(queries),
  })
}

/** Marks all notifications read. The screen changes at once, and back when the server refuses. */
export function useMarkAllRead() {
  const queries = useQueryClient()
  return useMutation({
    mutationKey: MARK_MUTATION_KEY,
    mutationFn: () => call(markAllRead, {}),
    onMutate: async () => {
      await queries.cancelQueries({ queryKey: ['notifications'] })
      const before = {
        list: queries.getQueryData(notificationsQuery.queryKey),
        count: queries.getQueryData(unreadCountQuery.queryKey),
      }
      queries.setQueryData(notificationsQuery.queryKey, (data) =>
        mapPageItems(data, (items) => items.map((item) => ({ ...item, is_read: true }))),
      )
      queries.setQueryData(unreadCountQuery.queryKey, { count: 0 })
      return before
    },
    onError: (error, _input, before) => {
      queries.setQueryData(notificationsQuery.queryKey, before?.list)
      queries.setQueryData(unreadCountQuery.queryKey, before?.count)
      toast.error(error)
    },
    onSettled: () => refetchAfterLastMark(queries),
  })
}

const refetchAfterLastMark = (queries: QueryClient) =>
  isLastMutation(queries, MARK_MUTATION_KEY) ? queries.invalidateQueries({ queryKey: ['notifications'] }) : undefined
