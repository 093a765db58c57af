import { queryOptions } from '@tanstack/react-query'
import { getActivity, getStats } from '#contract/admin.ts'
import { call } from '~/lib/http/api'
import { ADMIN_QUERY_KEY } from './frame/queries.ts'

/** Fetches how many vehicles are active or verified, in total and by province. */
export const statsQuery = queryOptions({
  queryKey: [ADMIN_QUERY_KEY, 'stats'],
  queryFn: ({ signal }) => call(getStats, {}, { signal }),
})

/** Fetches what happened in each of the last twelve weeks. */
export const activityQuery = queryOptions({
  queryKey: [ADMIN_QUERY_KEY, 'activity'],
  queryFn: ({ signal }) => call(getActivity, {}, { signal }),
})
