import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { getPerson, listAppeals } from '#contract/people.ts'
import { ADMIN_QUERY_KEY } from '~/admin/frame/queries'
import { call } from '~/lib/http/api'
import { cursorParams, pagedQueryOptions } from '~/lib/query/paged'

export const personKey = (id: string) => [ADMIN_QUERY_KEY, 'person', id]

/** Fetches a person as admins see them. */
export const personQuery = (id: string) =>
  queryOptions({ queryKey: personKey(id), queryFn: ({ signal }) => call(getPerson, { id }, { signal }) })

export const APPEALS_KEY = [ADMIN_QUERY_KEY, 'appeals']

/** Which appeals are listed. */
export type AppealState = 'open' | 'closed'

/** Fetches the open appeals, the oldest first, or the decided ones, the latest first, page by page. */
export const appealsQuery = (state: AppealState) =>
  infiniteQueryOptions({
    ...pagedQueryOptions,
    queryKey: [...APPEALS_KEY, state],
    queryFn: ({ pageParam, signal }) => call(listAppeals, { state, ...cursorParams(pageParam) }, { signal }),
  })
