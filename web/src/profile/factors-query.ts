import { queryOptions } from '@tanstack/react-query'
import { verifiedFactors } from '~/auth/factors'
import { authenticatedFetch } from '~/lib/http/api'
import type { User } from '~/lib/session/user'

/** Fetches the user's second factors from the server, without loading auth-js, which the page does not need. */
export const factorsQuery = queryOptions({
  queryKey: ['accounts', 'factors'],
  queryFn: async ({ signal }) => {
    const response = await authenticatedFetch('/auth/v1/user', { method: 'GET', signal })
    return verifiedFactors((await response.json()) as User)
  },
})
