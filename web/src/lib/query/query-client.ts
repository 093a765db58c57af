import { QueryClient } from '@tanstack/react-query'
import { ApiError } from '~/lib/http/api'
import { SECOND_MS } from '~/lib/time/units'

const MAX_RETRIES = 2

/** Only what may pass by itself is tried again: no connection, a busy server. A refusal stays one. */
const isTransient = (error: Error) => !(error instanceof ApiError) || error.status === 0 || error.status >= 500

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { retry: (failures, error) => failures < MAX_RETRIES && isTransient(error), staleTime: 10 * SECOND_MS },
    mutations: { retry: false },
  },
})

let cacheOwner: string | undefined

/**
 * Says whose answers are kept from now on: those of somebody else are forgotten. A page may outlive its person, as a
 * public page they went on to does when they sign out in another tab.
 */
export function setCacheOwner(userId: string) {
  if (cacheOwner !== undefined && cacheOwner !== userId) queryClient.clear()
  cacheOwner = userId
}
