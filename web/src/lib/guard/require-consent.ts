import { replace } from 'react-router'
import { getConsent } from '#contract/consent.ts'
import { paths } from '#contract/paths.ts'
import { TERMS_VERSION } from '#contract/terms.ts'
import { ApiError, call } from '~/lib/http/api'
import { href } from '~/lib/i18n/i18n'
import { isConsentRemembered, rememberConsent } from './remembered-consent.ts'
import { requestedPath } from './require-user.ts'

/**
 * Leads users who have yet to agree to the terms in force to /consent, which leads back here afterwards; for clientLoaders,
 * after the user is known; suspended users to what they may do. When the server does not respond the page is shown: what it
 * loads says what is wrong.
 */
export async function requireConsent(userId: string, request: Request): Promise<void> {
  if (isConsentRemembered(userId)) return
  const consent = await call(getConsent, {}, { withTimeout: true }).catch((error: unknown) => {
    if (error instanceof ApiError && error.code === 'suspended') throw replace(href(paths.suspended()))
    return null
  })
  if (!consent) return
  const isGiven = consent.given?.version === consent.current_version
  if (!isGiven) throw replace(href(paths.consent(requestedPath(request))))
  if (consent.current_version === TERMS_VERSION) rememberConsent(userId)
}
