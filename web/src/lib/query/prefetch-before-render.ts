import { hasEarlyResponse } from '~/lib/http/early-fetch'
import { getStoredUserId } from '~/lib/session/stored-session'
import { settleWithin } from '~/lib/time/timeout'
import { setCacheOwner } from './query-client.ts'

/** A page that shows nothing for so much longer is not seen to; what comes later is waited for behind a skeleton. */
const MAX_WAIT_MS = 100

/**
 * For clientLoaders: reads a query before its page is drawn, where the inline script has asked for the answer, which is
 * there by now or nearly so. The page is then drawn once, instead of a skeleton first. It never fails: the page asks for
 * what is missing, and says what went wrong.
 *
 * @param url what the query asks for first, one of the `reads` of the route
 * @param prefetch starts the query, as `queryClient.prefetchQuery` does
 */
export async function prefetchBeforeRender(url: string, prefetch: () => Promise<void>): Promise<null> {
  const userId = getStoredUserId()
  if (userId === null || !hasEarlyResponse(url)) return null
  setCacheOwner(userId)
  await settleWithin(prefetch(), MAX_WAIT_MS)
  return null
}
