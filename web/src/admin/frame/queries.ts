import { queryOptions } from '@tanstack/react-query'
import { listDisputes } from '#contract/admin.ts'
import { PAGE_LIMIT_MAX } from '#contract/endpoint.ts'
import { call } from '~/lib/http/api'

/** The first part of the key of every query of the admin area, whose data is removed when somebody leaves the area. */
export const ADMIN_QUERY_KEY = 'admin'

/** Counts the open disputes, up to one page of them. The badge shows '99+' beyond that. */
export const openDisputeCountQuery = queryOptions({
  queryKey: [ADMIN_QUERY_KEY, 'disputes', 'count'],
  queryFn: async ({ signal }) => (await call(listDisputes, { limit: PAGE_LIMIT_MAX }, { signal })).items.length,
})
