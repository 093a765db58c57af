import { hasEarlyResponse } from '~/lib/http/early-fetch'
import { getStoredUserId } from '~/lib/session/stored-session'
import { settleWithin } from '~/lib/time/timeout'
import { setCacheOwner } from './query-client.ts'

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
