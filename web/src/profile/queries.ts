import { infiniteQueryOptions } from '@tanstack/react-query'
import { listSessions } from '#contract/profile.ts'
import { call } from '~/lib/http/api'

/** Where the person is signed in, the latest first, page by page. */
export const sessionsQuery = infiniteQueryOptions({
  queryKey: ['accounts', 'sessions'],
  queryFn: ({ pageParam, signal }) => call(listSessions, pageParam ? { cursor: pageParam } : {}, { signal }),
  initialPageParam: '',
  getNextPageParam: (last) => last.next,
})
