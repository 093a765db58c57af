import { getDispute, type InboxItem, type InboxKind, type InboxState, listInbox } from '#contract/inbox.ts'
import { ADMIN_QUERY_KEY } from '~/admin/frame/queries'
import { DISPUTE_KEY } from '~/admin/queries'
import { endpointQuery, mapPageItems, type Pages, pagedQuery } from '~/lib/query/paged'
import { queryClient } from '~/lib/query/query-client'

const LIST_KEY = [ADMIN_QUERY_KEY, 'inbox', 'list']

/** Fetches what must be decided, or what was, page by page; of one kind, or of all. */
export const inboxQuery = (state: InboxState, kind?: InboxKind) =>
  pagedQuery([...LIST_KEY, state, kind], listInbox, { ...(state === 'closed' && { state }), ...(kind && { kind }) })

/** Takes an item that was decided off the lists, before the server says so. */
export const removeFromLists = (id: string) =>
  queryClient.setQueriesData<Pages<InboxItem>>({ queryKey: LIST_KEY }, (data) =>
    mapPageItems(data, (items) => items.filter((item) => item.id !== id)),
  )

/** Fetches one dispute with both sides. */
export const disputeQuery = (id: string) => ({
  ...endpointQuery([...DISPUTE_KEY, id], getDispute, { id }),
  retry: false, // one that has ended is gone
})
