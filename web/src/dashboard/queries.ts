import { queryOptions } from '@tanstack/react-query'
import { getDashboard } from '#contract/dashboard.ts'
import { call } from '~/lib/http/api'

/** Fetches the figures and the latest items of the dashboard. */
export const dashboardQuery = queryOptions({
  queryKey: ['dashboard'],
  queryFn: ({ signal }) => call(getDashboard, {}, { signal }),
  refetchOnWindowFocus: 'always', // there is no notification when a dispute begins or is resolved
})
