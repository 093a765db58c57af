import { replace } from 'react-router'
import { paths } from '#contract/paths.ts'
import { setDraftOwner } from '~/lib/form/drafts'
import { requestedPath, requireAccountLanguage } from '~/lib/guard/require-user'
import { ApiError, takeEarlyResponse } from '~/lib/http/api'
import { href } from '~/lib/i18n/i18n'
import { setCacheOwner } from '~/lib/query/query-client'
import { currentSession, loadAuthClient } from '~/lib/session/session'
import { getStoredSession, needsSecondStep } from '~/lib/session/stored-session'
import type { User } from '~/lib/session/user'

const SESSION_OVER_STATUSES = [401, 403]

/** The endpoint that returns the current user. */
export const USER_URL = '/auth/v1/user'

/** Returns whether a user has the admin right, according to the server's last response (decision server-authorization). */
export const isAdmin = (user: User | null): boolean => user?.user_metadata['is_admin'] === true

/**
 * Fetches the signed-in user from the server, instead of trusting what this browser has stored; null when the session
 * is over. Throws `ApiError` when the server does not respond, which says nothing about anybody's rights.
 */
export async function fetchCurrentUser(): Promise<User | null> {
  const session = await currentSession().catch(throwUnavailable)
  if (!session) return null
  const token = session.access_token
  const request =
    takeEarlyResponse(USER_URL, token) ?? fetch(USER_URL, { headers: { authorization: `Bearer ${token}` } })
  const response = await request.catch(throwUnavailable)
  if (SESSION_OVER_STATUSES.includes(response.status)) return fetchUserWithAuthClient()
  if (!response.ok) throwUnavailable(response)
  const user = (await response.json().catch(throwUnavailable)) as User
  setDraftOwner(user.id)
  return user
}

/** Fetches the user through auth-js, which also ends the session in this browser when the server has ended it. */
async function fetchUserWithAuthClient(): Promise<User | null> {
  const { auth, isAuthSessionMissingError } = await loadAuthClient().catch(throwUnavailable)
  const { data, error } = await auth.getUser()
  if (!error) return data.user
  return isAuthSessionMissingError(error) || SESSION_OVER_STATUSES.includes(error.status ?? 0)
    ? null
    : throwUnavailable(error)
}

function throwUnavailable({ status }: { status?: number | undefined }): never {
  throw new ApiError(status ?? 0, undefined)
}

/**
 * Returns the admin, for the client loaders of admin pages. Redirects everybody else to /admin/login, which comes back
 * here afterwards (requirements §2).
 */
export async function requireAdmin(request: Request): Promise<User> {
  const user = await fetchCurrentUser()
  if (!user || !isAdmin(user)) throw replace(href(paths.adminLogin(requestedPath(request))))
  const session = getStoredSession()
  if (session) requireAccountLanguage(request, session.access_token)
  if (session && needsSecondStep(session, user)) throw replace(href(paths.twoStep(requestedPath(request))))
  setCacheOwner(user.id)
  return user
}
