import { infiniteQueryOptions } from '@tanstack/react-query'
import { listSessions } from '#contract/profile.ts'
import { call } from '~/lib/http/api'
import { cursorParams, pagedQueryOptions } from '~/lib/query/paged'

/** Fetches the user's sessions, the latest first, page by page. */
export const sessionsQuery = infiniteQueryOptions({
  ...pagedQueryOptions,
  queryKey: ['accounts', 'sessions'],
  queryFn: ({ pageParam, signal }) => call(listSessions, cursorParams(pageParam), { signal }),
})
