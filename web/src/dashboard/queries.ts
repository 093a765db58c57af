import { queryOptions } from '@tanstack/react-query'
import { getDashboard } from '#contract/dashboard.ts'
import { call } from '~/lib/http/api'

/** The numbers and the latest things of the first screen. */
export const dashboardQuery = queryOptions({
  queryKey: ['dashboard'],
  queryFn: ({ signal }) => call(getDashboard, {}, { signal }),
  refetchOnWindowFocus: 'always', // no notification tells of a dispute that began, or was settled
})
