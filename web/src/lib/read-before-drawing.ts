import { hasFirstRead } from '~/lib/first-reads'
import { claimQueries } from '~/lib/query-client'
import { storedUserId } from '~/lib/stored-session'

/** A page that shows nothing for so much longer is not seen to; what comes later is waited for behind a skeleton. */
const GRACE_MS = 100

/**
 * For clientLoaders: reads a query before its page is drawn, where the inline script has asked for the answer, which is
 * there by now or nearly so. The page is then drawn once, instead of a skeleton first. It never fails: the page asks for
 * what is missing, and says what went wrong.
 *
 * @param url what the query asks for first, one of the `reads` of the route
 * @param prefetch starts the query, as `queryClient.prefetchQuery` does
 */
export async function readBeforeDrawing(url: string, prefetch: () => Promise<void>): Promise<null> {
  const userId = storedUserId()
  if (userId === null || !hasFirstRead(url)) return null
  claimQueries(userId)
  await Promise.race([prefetch(), new Promise((resolve) => setTimeout(resolve, GRACE_MS))])
  return null
}
