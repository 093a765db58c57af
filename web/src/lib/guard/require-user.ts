import { redirectDocument, replace } from 'react-router'
import { paths } from '#contract/paths.ts'
import { setDraftOwner } from '~/lib/form/drafts'
import { ApiError } from '~/lib/http/api'
import { href, localeFromPath, stripLocale } from '~/lib/i18n/i18n'
import { setCacheOwner } from '~/lib/query/query-client'
import { accountLanguage, saveLanguage, unsavedLanguage } from '~/lib/session/account-language'
import { needsSecondStep } from '~/lib/session/assurance'
import { currentSession } from '~/lib/session/session'

/**
 * Returns the signed-in user, for clientLoaders, or throws a redirect to /login, or to /two-step while the session has yet
 * to be verified with a second factor; both lead back here afterwards. The
 * redirect replaces the page in the history, so that Back does not lead to it again. Throws `ApiError` when the session
 * must be renewed and there is no connection.
 */
export async function requireUser(request: Request) {
  const session = await currentSession().catch(() => {
    throw new ApiError(0, undefined)
  })
  if (!session) throw replace(href(paths.login(requestedPath(request))))
  requireAccountLanguage(request, session.access_token)
  if (needsSecondStep(session, session.user)) throw replace(href(paths.twoStep(requestedPath(request))))
  setDraftOwner(session.user.id)
  setCacheOwner(session.user.id)
  return session.user
}

/**
 * Throws a redirect to the page in the language of the account (decision two-languages), by a full load, since every text changes.
 * Saves a choice that has yet to reach the account.
 */
export function requireAccountLanguage(request: Request, token: string): void {
  const unsaved = unsavedLanguage()
  if (unsaved) void saveLanguage(unsaved, token)
  const locale = accountLanguage()
  if (!locale || locale === localeFromPath(new URL(request.url).pathname)) return
  throw redirectDocument(href(requestedPath(request), locale), { headers: { 'X-Remix-Replace': 'true' } })
}

/** Returns the path that a clientLoader was called for, without its language, to come back to. */
export function requestedPath(request: Request): string {
  const { pathname, search } = new URL(request.url)
  // the request of a loader has no fragment, in which a link from an email has the message's id
  const hash = location.pathname === pathname ? location.hash : ''
  return stripLocale(pathname) + search + hash
}
