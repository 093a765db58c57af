import { queryOptions } from '@tanstack/react-query'
import { listDisputes } from '#contract/admin.ts'
import { PAGE_LIMIT_MAX } from '#contract/endpoint.ts'
import { call } from '~/lib/http/api'

/** The first part of the key of every query of the admin area: what leaving it forgets. */
export const ADMIN_QUERY_KEY = 'admin'

/** How many disputes wait for an admin, up to one page of them: the badge says '99+' from there on. */
export const openDisputeCountQuery = queryOptions({
  queryKey: [ADMIN_QUERY_KEY, 'disputes', 'count'],
  queryFn: async ({ signal }) => (await call(listDisputes, { limit: PAGE_LIMIT_MAX }, { signal })).items.length,
})
