import { getInboxCounts } from '#contract/inbox.ts'
import { endpointQuery } from '~/lib/query/paged'

/** The first part of the key of every query of the admin area, whose data is removed when somebody leaves the area. */
export const ADMIN_QUERY_KEY = 'admin'

/** Counts what waits for a decision, by kind. */
export const inboxCountsQuery = endpointQuery([ADMIN_QUERY_KEY, 'inbox', 'counts'], getInboxCounts, {})
