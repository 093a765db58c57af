import { QueryClient } from '@tanstack/react-query'
import { SECOND_MS } from '#contract/time.ts'
import { ApiError, hasEarlyResponse } from '~/lib/http/api'
import { getStoredUserId } from '~/lib/session/stored-session'
import { settleWithin } from '~/lib/time/timeout'

const MAX_RETRIES = 2

/** Returns whether a retry may succeed: there was no connection, or the server was busy. An error response stays one. */
const isTransient = (error: Error) => !(error instanceof ApiError) || error.status === 0 || error.status >= 500

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { retry: (failures, error) => failures < MAX_RETRIES && isTransient(error), staleTime: 10 * SECOND_MS },
    mutations: { retry: false },
  },
})

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
 * Loads a query before its page is rendered, for clientLoaders, where the inline head script has requested the response,
 * which has arrived by now or nearly so. The page is then rendered once, without a skeleton first. Never fails: the page
 * fetches what is missing, and shows what went wrong.
 *
 * @param url the query's first request, one of the route's `prefetch`
 * @param prefetch starts the query, such as `queryClient.prefetchQuery`
 */
export async function prefetchBeforeRender(url: string, prefetch: () => Promise<void>): Promise<null> {
  const userId = getStoredUserId()
  if (userId === null || !hasEarlyResponse(url)) return null
  setCacheOwner(userId)
  await settleWithin(prefetch(), MAX_WAIT_MS)
  return null
}
