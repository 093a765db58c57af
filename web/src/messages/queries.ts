import {
  type InfiniteData,
  infiniteQueryOptions,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import type { NewMessage, ReceivedMessage } from '#contract/messages.ts'
import { getMessage, listMessages, markMessage, replyToMessage, sendMessage } from '#contract/messages.ts'
import { call } from '~/lib/http/api'
import { toast } from '~/lib/page/toast'
import { idempotencyKey } from './idempotency-key.ts'

/** Sends a message, whose idempotency key makes another attempt harmless. */
export const submitMessage = (message: NewMessage) =>
  call(sendMessage, message, { headers: { 'idempotency-key': idempotencyKey(message) }, withTimeout: true })

/** Messages to the own vehicles, newest first, page by page. */
export const receivedQuery = infiniteQueryOptions({
  queryKey: ['messages', 'received'],
  queryFn: async ({ pageParam, signal }) => {
    const page = await call(listMessages, { view: 'received', ...(pageParam && { cursor: pageParam }) }, { signal })
    return { ...page, items: page.items.filter((item) => 'is_read' in item) }
  },
  initialPageParam: '',
  getNextPageParam: (last) => last.next,
})

/** The messages the person sent, newest first, page by page. */
export const sentQuery = infiniteQueryOptions({
  queryKey: ['messages', 'sent'],
  queryFn: async ({ pageParam, signal }) => {
    const page = await call(listMessages, { view: 'sent', ...(pageParam && { cursor: pageParam }) }, { signal })
    return { ...page, items: page.items.filter((item) => 'email_status' in item) }
  },
  initialPageParam: '',
  getNextPageParam: (last) => last.next,
})

/** Fetches one message, sent or received. */
export const messageQuery = (id: string) =>
  queryOptions({
    queryKey: ['messages', 'one', id],
    queryFn: ({ signal }) => call(getMessage, { id }, { signal }),
  })

type Pages = InfiniteData<{ items: ReceivedMessage[]; next: string | null }>

/** Writes what is known of a received message wherever it is shown. */
function useUpdateCachedMessage() {
  const queries = useQueryClient()
  return (id: string, changes: Partial<ReceivedMessage>) => {
    queries.setQueryData(receivedQuery.queryKey, (data: Pages | undefined) => {
      if (!data) return data
      const change = (item: ReceivedMessage) => (item.id === id ? { ...item, ...changes } : item)
      return { ...data, pages: data.pages.map((page) => ({ ...page, items: page.items.map(change) })) }
    })
    queries.setQueryData(messageQuery(id).queryKey, (message) =>
      message?.view === 'received' ? { ...message, ...changes } : message,
    )
  }
}

const MARK_MUTATION_KEY = ['messages', 'mark']

/** Marks a received message read or unread. The screen changes at once, and back when the server refuses. */
export function useMarkMessage() {
  const queries = useQueryClient()
  const show = useUpdateCachedMessage()
  return useMutation({
    mutationKey: MARK_MUTATION_KEY,
    mutationFn: (input: { id: string; is_read: boolean }) => call(markMessage, input),
    onMutate: async ({ id, is_read }) => {
      await queries.cancelQueries({ queryKey: ['messages'] })
      show(id, { is_read })
    },
    onError: (error, { id, is_read }) => {
      show(id, { is_read: !is_read })
      toast.error(error)
    },
    onSettled: () => {
      // after the last of several quick marks only: a response in between would show the earlier state again
      if (queries.isMutating({ mutationKey: MARK_MUTATION_KEY }) > 1) return
      void queries.invalidateQueries({ queryKey: ['dashboard'] })
      return queries.invalidateQueries({ queryKey: ['messages'] })
    },
  })
}

/** Sends the one reply to a received message. */
export function useSendReply() {
  const queries = useQueryClient()
  const show = useUpdateCachedMessage()
  return useMutation({
    mutationFn: (input: { id: string; reply: string }) => call(replyToMessage, input),
    onSuccess: (message) => show(message.id, message),
    // also after a failure: a reply may have been sent from another device
    onSettled: () => {
      void queries.invalidateQueries({ queryKey: ['dashboard'] })
      void queries.invalidateQueries({ queryKey: ['messages'] })
    },
  })
}
