import { queryOptions } from '@tanstack/react-query'
import { listBlocks } from '#contract/blocks.ts'
import { getEmailChange } from '#contract/email-change.ts'
import { listAccountEvents, listSessions } from '#contract/profile.ts'
import { AuthFailure, authRequest, isLinkExpired } from '~/auth/auth-request'
import { verifiedFactors } from '~/auth/factors'
import { authenticatedFetch } from '~/lib/http/api'
import { endpointQuery, pagedQuery } from '~/lib/query/paged'
import type { User } from '~/lib/session/user'
import { m } from '~/paraglide/messages'

/** Fetches the change of the user's address that waits for confirmation, if any. */
export const emailChangeQuery = endpointQuery(['accounts', 'email-change'], getEmailChange, {})

const FACTORS_URL = '/auth/v1/user'

/** Fetches the user's second factors from the server, without loading auth-js, which the page does not need. */
export const factorsQuery = queryOptions({
  queryKey: ['accounts', 'factors'],
  meta: { url: FACTORS_URL },
  queryFn: async ({ signal }) => {
    const response = await authenticatedFetch(FACTORS_URL, { method: 'GET', signal })
    return verifiedFactors((await response.json()) as User)
  },
})

/** Fetches the user's sessions, the latest first, page by page. */
export const sessionsQuery = pagedQuery(['accounts', 'sessions'], listSessions, {})

/** Fetches the events of the user's account, the latest first, page by page. */
export const accountEventsQuery = pagedQuery(['accounts', 'events'], listAccountEvents, {})

/** Fetches the user's blocks, the latest first, page by page. */
export const blocksQuery = pagedQuery(['blocks'], listBlocks, {})

/** Works like `authRequest`, for a signed-in user: what is an expired link elsewhere is here the end of their session. */
export const signedInAuthRequest = <T>(...call: Parameters<typeof authRequest<T>>): Promise<T> =>
  authRequest(...call).catch((error: unknown) => {
    throw isLinkExpired(error) ? new AuthFailure(m.profile_session_over(), error) : error
  })
