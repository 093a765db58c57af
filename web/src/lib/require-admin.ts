import { replace } from 'react-router'
import { paths } from '#contract/paths.ts'
import { ApiError } from '~/lib/api'
import { claimDrafts } from '~/lib/drafts'
import { takeFirstRead } from '~/lib/first-reads'
import { href } from '~/lib/i18n'
import { claimQueries } from '~/lib/query-client'
import { wantedPath } from '~/lib/require-user'
import { authClient, currentSession } from '~/lib/session'
import type { User } from '~/lib/user'

const OVER = [401, 403]

/** Where the server says who somebody is now. */
export const USER_ADDRESS = '/auth/v1/user'

/** Whether somebody has the admin right, as the server last said (design decision 8). */
export const isAdmin = (user: User | null): boolean => user?.user_metadata['is_admin'] === true

/**
 * The signed-in person as the server knows them now, not as this browser remembers them; null when the session is over.
 * Throws `ApiError` when no answer came: that says nothing about anybody's right.
 */
export async function confirmedUser(): Promise<User | null> {
  const session = await currentSession().catch(unreachable)
  if (!session) return null
  const token = session.access_token
  const answer =
    takeFirstRead(USER_ADDRESS, token) ?? fetch(USER_ADDRESS, { headers: { authorization: `Bearer ${token}` } })
  const response = await answer.catch(unreachable)
  if (OVER.includes(response.status)) return userOfClient()
  if (!response.ok) unreachable(response)
  const user = (await response.json().catch(unreachable)) as User
  claimDrafts(user.id)
  return user
}

/** As auth-js asks, which also ends the session here when the server has ended it. */
async function userOfClient(): Promise<User | null> {
  const { auth, isAuthSessionMissingError } = await authClient().catch(unreachable)
  const { data, error } = await auth.getUser()
  if (!error) return data.user
  return isAuthSessionMissingError(error) || OVER.includes(error.status ?? 0) ? null : unreachable(error)
}

function unreachable({ status }: { status?: number | undefined }): never {
  throw new ApiError(status ?? 0, undefined)
}

/** For clientLoaders of admin pages: the admin, or a redirect to /admin/login that comes back here afterwards (spec §2). */
export async function requireAdmin(request: Request): Promise<User> {
  const user = await confirmedUser()
  if (!user || !isAdmin(user)) throw replace(href(paths.adminLogin(wantedPath(request))))
  claimQueries(user.id)
  return user
}
