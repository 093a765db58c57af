import { infiniteQueryOptions } from '@tanstack/react-query'
import { type DeskState, listCases } from '#contract/cases.ts'
import { ADMIN_QUERY_KEY } from '~/admin/frame/queries'
import { call } from '~/lib/http/api'
import { cursorParams, pagedQueryOptions } from '~/lib/query/paged'

/** Fetches the cases of reported messages, page by page. */
export const casesQuery = (state: DeskState) =>
  infiniteQueryOptions({
    ...pagedQueryOptions,
    queryKey: [ADMIN_QUERY_KEY, 'cases', state],
    queryFn: ({ pageParam, signal }) => call(listCases, { state, ...cursorParams(pageParam) }, { signal }),
  })
