import { useMutation, useQuery } from '@tanstack/react-query'
import { PAGE_LIMIT_MAX } from '#contract/endpoint.ts'
import type { Answer, MessageView, ReceivedMessage } from '#contract/messages.ts'
import { getMessage, listMessages, markMessage, replyToMessage, searchMessages } from '#contract/messages.ts'
import { listVehicles } from '#contract/vehicles.ts'
import { saveDraft } from '~/lib/form/drafts'
import { ApiError, call } from '~/lib/http/api'
import { useOptimisticMutation } from '~/lib/query/mutations'
import { endpointQuery, mapPageItems, type Pages, pagedQuery } from '~/lib/query/paged'
import { queryClient } from '~/lib/query/query-client'
import { toast } from '~/lib/toast/toast'
import { unreadCountQuery } from '~/notifications/queries'
import { m } from '~/paraglide/messages'

/** Which received messages are meant; everything left out: all. */
export type ReceivedFilter = { vehicle_id?: string | undefined; unread?: 'true' | undefined }

/** Fetches the messages of a view, newest first, page by page. */
export const messagesQuery = (view: MessageView, filter: ReceivedFilter = {}) =>
  pagedQuery(['messages', view, filter], listMessages, { view, ...filter })

/** Fetches the vehicles to filter messages by, under the key that the page of vehicles uses. */
export const messageVehiclesQuery = endpointQuery(['vehicles', 'of-messages'], listVehicles, { limit: PAGE_LIMIT_MAX })

/** What to search for in a view. */
export type MessageSearch = { text: string; view: MessageView } & ReceivedFilter

/** Searches the messages of a view, page by page. Results stay in memory only while they are shown, and are not refetched. */
export const searchQuery = (search: MessageSearch) => ({
  ...pagedQuery(['message-search', search], searchMessages, search),
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: 0,
})

/** Fetches one message, sent or received. */
export const messageQuery = (id: string) => endpointQuery(['messages', 'one', id], getMessage, { id })

/** Updates a received message in the cache, in every list and by itself. */
function showMessage(id: string, changes: Partial<ReceivedMessage>) {
  for (const queryKey of [['messages', 'received'], ['message-search']]) {
    queryClient.setQueriesData({ queryKey }, (data: Pages<ReceivedMessage> | undefined) =>
      mapPageItems(data, (items) => items.map((item) => (item.id === id ? { ...item, ...changes } : item))),
    )
  }
  queryClient.setQueryData(messageQuery(id).queryKey, (message) =>
    message?.view === 'received' ? { ...message, ...changes } : message,
  )
}

/** Returns whether there are unread notifications: those about a message are read with it. */
export const useHasNews = (): boolean => (useQuery(unreadCountQuery).data ?? 0) > 0

/** `was_read` of one that may have been so already: what was notified of it is read then. */
type MarkInput = { id: string; is_read: boolean; was_read?: boolean }

/** Marks a received message read or unread, and what was notified of a message read. */
export function useMarkMessage() {
  return useOptimisticMutation({
    mutationKey: ['messages', 'mark'],
    networkMode: 'online', // waits for the connection
    mutationFn: ({ id, is_read }: MarkInput) => call(markMessage, { id, is_read }),
    queryKey: ['messages'],
    alsoAffects: ['dashboard'],
    show({ id, is_read, was_read = !is_read }) {
      showMessage(id, { is_read })
      return () => showMessage(id, { is_read: was_read })
    },
  })
}

/** Returns the name of the draft of a reply. */
export const replyDraft = (id: string) => `reply:${id}`

/** Sends the one reply to a received message, and says what became of it. */
export function useSendReply() {
  return useMutation({
    mutationFn: (input: { id: string; reply: string; answer?: Answer }) => call(replyToMessage, input),
    networkMode: 'online', // waits for the connection
    onError(error) {
      // a message is deleted only with its vehicle, and its form goes with it, as with a reply that somebody else sent
      const { code, status } = error instanceof ApiError ? error : {}
      toast.error(code === 'not_found' ? m.reply_vehicle_gone() : status === 409 ? error : m.reply_failed())
    },
    onSuccess(message) {
      saveDraft(replyDraft(message.id), undefined) // before the form goes: what is left there then was not sent
      showMessage(message.id, message)
      toast.success(m.reply_sent())
    },
    // also after a failure: a reply may have been sent from another device
    onSettled: () => {
      void queryClient.invalidateQueries({ queryKey: ['dashboard'] })
      void queryClient.invalidateQueries({ queryKey: ['messages'] })
    },
  })
}
