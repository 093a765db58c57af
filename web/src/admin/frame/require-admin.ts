import { replace } from 'react-router'
import { paths } from '#contract/paths.ts'
import { setDraftOwner } from '~/lib/form/drafts'
import { ApiError } from '~/lib/http/api'
import { takeEarlyResponse } from '~/lib/http/early-fetch'
import { href } from '~/lib/i18n/i18n'
import { setCacheOwner } from '~/lib/query/query-client'
import { requestedPath } from '~/lib/session/require-user'
import { currentSession, loadAuthClient } from '~/lib/session/session'
import type { User } from '~/lib/session/user'

const SESSION_OVER_STATUSES = [401, 403]

/** Where the server says who somebody is now. */
export const USER_URL = '/auth/v1/user'

/** Whether somebody has the admin right, as the server last said (decision 0053). */
export const isAdmin = (user: User | null): boolean => user?.user_metadata['is_admin'] === true

/**
 * The signed-in person as the server knows them now, not as this browser remembers them; null when the session is over.
 * Throws `ApiError` when no answer came: that says nothing about anybody's right.
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

/** As auth-js asks, which also ends the session here when the server has ended it. */
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

/** For clientLoaders of admin pages: the admin, or a redirect to /admin/login that comes back here afterwards (requirements §2). */
export async function requireAdmin(request: Request): Promise<User> {
  const user = await fetchCurrentUser()
  if (!user || !isAdmin(user)) throw replace(href(paths.adminLogin(requestedPath(request))))
  setCacheOwner(user.id)
  return user
}
