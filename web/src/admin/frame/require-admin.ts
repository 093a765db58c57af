import { replace } from 'react-router'
import { paths } from '#contract/paths.ts'
import { setDraftOwner } from '~/lib/form/drafts'
import { requestedPath, requireAccountLanguage } from '~/lib/guard/require-user'
import { type ApiError, authenticatedFetch } from '~/lib/http/api'
import { href } from '~/lib/i18n/i18n'
import { setCacheOwner } from '~/lib/query/query-client'
import { renewToken } from '~/lib/session/session'
import { getSession, isSignedIn, needsSecondStep } from '~/lib/session/tab-session'
import type { User } from '~/lib/session/user'

const SESSION_OVER_STATUSES = [401, 403]

/** The endpoint that returns the current user. */
export const USER_URL = '/auth/v1/user'

/** Returns whether a user has the admin right, according to the server's last response (decision server-authorization). */
export const isAdmin = (user: User | null): boolean => user?.user_metadata['is_admin'] === true

/**
 * Fetches the signed-in user from the server, instead of trusting what this tab knows; null when the session
 * is over, which ends it here too. Throws `ApiError` when the server does not respond, which says nothing about anybody's rights.
 */
export async function fetchCurrentUser(): Promise<User | null> {
  if (!isSignedIn()) return null
  const response = await authenticatedFetch(USER_URL, { method: 'GET' }).catch(async (error: ApiError) => {
    if (!SESSION_OVER_STATUSES.includes(error.status)) throw error
    await renewToken()
    return null
  })
  const user = response && ((await response.json()) as User)
  if (user) setDraftOwner(user.id)
  return user
}

/**
 * Returns the admin, for the client loaders of admin pages. Redirects everybody else to /admin/login, which comes back
 * here afterwards (requirements §2).
 */
export async function requireAdmin(request: Request): Promise<User> {
  const user = await fetchCurrentUser()
  if (!user || !isAdmin(user)) throw replace(href(paths.adminLogin(requestedPath(request))))
  const session = getSession()
  if (session) requireAccountLanguage(request, session.access_token)
  if (session && needsSecondStep(session, user)) throw replace(href(paths.twoStep(requestedPath(request))))
  setCacheOwner(user.id)
  return user
}
