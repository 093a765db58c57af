import { replace } from 'react-router'
import { getConsent } from '#contract/consent.ts'
import { paths } from '#contract/paths.ts'
import { TERMS_VERSION } from '#contract/terms.ts'
import { ApiError, call } from '~/lib/http/api'
import { href } from '~/lib/i18n/i18n'
import { browserStore, CONSENT_KEY } from '~/lib/page/storage'
import { requestedPath } from './require-user.ts'

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
