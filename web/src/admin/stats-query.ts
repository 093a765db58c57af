import { queryOptions } from '@tanstack/react-query'
import { getStats } from '#contract/admin.ts'
import { call } from '~/lib/api'
import { ADMIN_KEY } from './admin-key.ts'

/** How many vehicles are active or verified, in all and by province. */
export const statsQuery = queryOptions({
  queryKey: [ADMIN_KEY, 'stats'],
  queryFn: ({ signal }) => call(getStats, {}, { signal }),
})
