import { infiniteQueryOptions } from '@tanstack/react-query'
import { listHolds } from '#contract/holds.ts'
import { ADMIN_QUERY_KEY } from '~/admin/frame/queries'
import { call } from '~/lib/http/api'
import { cursorParams, pagedQueryOptions } from '~/lib/query/paged'

/** The first part of the key of both lists of holds. */
export const HOLDS_KEY = [ADMIN_QUERY_KEY, 'holds']

/** Which holds are listed. */
export type HoldState = 'in_force' | 'ended'

/** Fetches the legal holds, the latest first, page by page. */
export const holdsQuery = (state: HoldState) =>
  infiniteQueryOptions({
    ...pagedQueryOptions,
    queryKey: [...HOLDS_KEY, state],
    queryFn: ({ pageParam, signal }) => call(listHolds, { state, ...cursorParams(pageParam) }, { signal }),
  })
