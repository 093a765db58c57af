import { replace } from 'react-router'
import { paths } from '#contract/paths.ts'
import { setDraftOwner } from '~/lib/form/drafts'
import { ApiError } from '~/lib/http/api'
import { href, stripLocale } from '~/lib/i18n/i18n'
import { setCacheOwner } from '~/lib/query/query-client'
import { currentSession } from '~/lib/session/session'

/**
 * For clientLoaders of pages that need a person: the user, or a redirect to /login that comes back here afterwards. It
 * takes the page's place in the history, so that Back does not lead into it again. Throws `ApiError` where the session
 * has to be renewed and there is no connection.
 */
export async function requireUser(request: Request) {
  const session = await currentSession().catch(() => {
    throw new ApiError(0, undefined)
  })
  if (!session) throw replace(href(paths.login(requestedPath(request))))
  setDraftOwner(session.user.id)
  setCacheOwner(session.user.id)
  return session.user
}

/** The page a clientLoader is asked for, without its language, to come back to. */
export function requestedPath(request: Request): string {
  const { pathname, search } = new URL(request.url)
  // the request of a loader has no fragment; a link from an e-mail carries the message's id there
  const hash = location.pathname === pathname ? location.hash : ''
  return stripLocale(pathname) + search + hash
}
