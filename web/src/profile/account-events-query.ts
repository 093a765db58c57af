import { infiniteQueryOptions } from '@tanstack/react-query'
import { listAccountEvents } from '#contract/profile.ts'
import { call } from '~/lib/http/api'
import { cursorParams, pagedQueryOptions } from '~/lib/query/paged'

const EVENTS_PER_PAGE = 6

/** Fetches the events of the user's account, the latest first, page by page. */
export const accountEventsQuery = infiniteQueryOptions({
  ...pagedQueryOptions,
  queryKey: ['accounts', 'events'],
  queryFn: ({ pageParam, signal }) =>
    call(listAccountEvents, { limit: EVENTS_PER_PAGE, ...cursorParams(pageParam) }, { signal }),
})
