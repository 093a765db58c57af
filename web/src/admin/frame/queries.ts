import { queryOptions } from '@tanstack/react-query'
import { listDisputes } from '#contract/admin.ts'
import { listCases } from '#contract/cases.ts'
import { PAGE_LIMIT_MAX } from '#contract/endpoint.ts'
import { listAppeals } from '#contract/people.ts'
import { call } from '~/lib/http/api'

/** The first part of the key of every query of the admin area, whose data is removed when somebody leaves the area. */
export const ADMIN_QUERY_KEY = 'admin'

/** Counts the open disputes, up to one page of them. The badge shows '99+' beyond that. */
export const openDisputeCountQuery = queryOptions({
  queryKey: [ADMIN_QUERY_KEY, 'disputes', 'count'],
  queryFn: async ({ signal }) => (await call(listDisputes, { limit: PAGE_LIMIT_MAX }, { signal })).items.length,
})

/** Counts the open reports, like the disputes. */
export const openCaseCountQuery = queryOptions({
  queryKey: [ADMIN_QUERY_KEY, 'cases', 'count'],
  queryFn: async ({ signal }) => (await call(listCases, { limit: PAGE_LIMIT_MAX }, { signal })).items.length,
})

/** Counts the open appeals, like the disputes. */
export const openAppealCountQuery = queryOptions({
  queryKey: [ADMIN_QUERY_KEY, 'appeals', 'count'],
  queryFn: async ({ signal }) => (await call(listAppeals, { limit: PAGE_LIMIT_MAX }, { signal })).items.length,
})
