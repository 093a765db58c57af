import { queryOptions } from '@tanstack/react-query'
import { getInboxCounts } from '#contract/inbox.ts'
import { call } from '~/lib/http/api'

/** The first part of the key of every query of the admin area, whose data is removed when somebody leaves the area. */
export const ADMIN_QUERY_KEY = 'admin'

/** Counts what waits for a decision, by kind. */
export const inboxCountsQuery = queryOptions({
  queryKey: [ADMIN_QUERY_KEY, 'inbox', 'counts'],
  queryFn: ({ signal }) => call(getInboxCounts, {}, { signal }),
})
