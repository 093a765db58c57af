import { QueryClient } from '@tanstack/react-query'
import { SECOND_MS } from '#contract/time.ts'
import { ApiError } from '~/lib/http/api'

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
