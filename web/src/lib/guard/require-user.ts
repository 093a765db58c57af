import { redirectDocument, replace } from 'react-router'
import { getConsent } from '#contract/consent.ts'
import { paths } from '#contract/paths.ts'
import { TERMS_VERSION } from '#contract/terms.ts'
import { setDraftOwner } from '~/lib/form/drafts'
import { ApiError, call } from '~/lib/http/api'
import { href, localeFromPath, stripLocale } from '~/lib/i18n/i18n'
import { browserStore, CONSENT_KEY } from '~/lib/page/storage'
import { setCacheOwner } from '~/lib/query/query-client'
import { accountLanguage, saveLanguage, unsavedLanguage } from '~/lib/session/account-cookie'
import { currentSession } from '~/lib/session/session'
import { needsSecondStep } from '~/lib/session/tab-session'

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

/** Returns what is stored for a user who has agreed to the terms in force. */
const consentRecord = (userId: string) => `${userId} ${TERMS_VERSION}`

/** Remembers that a user has agreed to the terms in force, so that the server is not asked again. */
export const rememberConsent = (userId: string): void => browserStore.setItem(CONSENT_KEY, consentRecord(userId))

/**
 * Leads users who have yet to agree to the terms in force to /consent, which leads back here afterwards; for clientLoaders,
 * after the user is known; suspended users to what they may do. When the server does not respond the page is shown: what it
 * loads says what is wrong.
 */
export async function requireConsent(userId: string, request: Request): Promise<void> {
  if (browserStore.getItem(CONSENT_KEY) === consentRecord(userId)) return
  const consent = await call(getConsent, {}, { withTimeout: true }).catch((error: unknown) => {
    if (error instanceof ApiError && error.code === 'suspended') throw replace(href(paths.suspended()))
    return null
  })
  if (!consent) return
  const isGiven = consent.given?.version === consent.current_version
  if (!isGiven) throw replace(href(paths.consent(requestedPath(request))))
  if (consent.current_version === TERMS_VERSION) rememberConsent(userId)
}
