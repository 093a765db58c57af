import { queryOptions } from '@tanstack/react-query'
import { getStats } from '#contract/admin.ts'
import { call } from '~/lib/http/api'
import { ADMIN_QUERY_KEY } from './frame/queries.ts'

/** Fetches how many vehicles are active or verified, in total and by province. */
export const statsQuery = queryOptions({
  queryKey: [ADMIN_QUERY_KEY, 'stats'],
  queryFn: ({ signal }) => call(getStats, {}, { signal }),
})
