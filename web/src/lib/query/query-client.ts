import { type FetchInfiniteQueryOptions, type FetchQueryOptions, QueryClient } from '@tanstack/react-query'
import { SECOND_MS } from '#contract/time.ts'
import { ApiError } from '~/lib/http/api'
import type { EarlyQuery } from '~/lib/page/route-handle'
import { currentSession, hasFirst } from '~/lib/session/session'
import { settleWithin } from '~/lib/time/timeout'
import { toast } from '~/lib/toast/toast'

const MAX_RETRIES = 2

/** Returns whether a retry may succeed: there was no connection, or the server was busy. An error response stays one. */
const isTransient = (error: Error) => !(error instanceof ApiError) || error.status === 0 || error.status >= 500

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { retry: (failures, error) => failures < MAX_RETRIES && isTransient(error), staleTime: 10 * SECOND_MS },
    // without a connection a change fails at once and says so, instead of being sent hours later
    mutations: { networkMode: 'always', onError: (error) => toast.error(error) },
  },
})

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: { url: string }
  }
}

let cacheOwner: string | undefined

/**
 * Sets whose data is cached; clears that of another user. A page may outlive its user's session, as a public page does
 * when the user signs out in another tab.
 */
export function setCacheOwner(userId: string) {
  if (cacheOwner !== undefined && cacheOwner !== userId) queryClient.clear()
  cacheOwner = userId
}

/** A first paint that is later by this much goes unnoticed; a response that takes longer is awaited behind a skeleton. */
const MAX_WAIT_MS = 100

/**
 * Loads a query before its page is rendered, for clientLoaders, where its response came with the session.
 * The page is then rendered once, without a skeleton first. Never fails: the page
 * fetches what is missing, and shows what went wrong.
 *
 * @param query one of the route's `prefetch`
 */
export async function prefetchBeforeRender(query: EarlyQuery): Promise<null> {
  const session = await currentSession().catch(() => null) // the layout says so
  if (!session || !query.meta || !hasFirst(query.meta.url)) return null
  setCacheOwner(session.user.id)
  const loading =
    'getNextPageParam' in query
      ? queryClient.prefetchInfiniteQuery(query as unknown as FetchInfiniteQueryOptions)
      : queryClient.prefetchQuery(query as unknown as FetchQueryOptions)
  await settleWithin(loading, MAX_WAIT_MS)
  return null
}

/** Fetches again what shows a message that was just sent. */
export function refetchSent() {
  void queryClient.invalidateQueries({ queryKey: ['messages', 'sent'] })
  void queryClient.invalidateQueries({ queryKey: ['dashboard'] })
}
