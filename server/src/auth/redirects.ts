import { localizedPath, paths } from '#contract/paths.ts'
import { LOCALES, type Locale } from '#contract/product.ts'
import type { Config } from '../config.ts'

type RedirectConfig = Pick<Config, 'PUBLIC_URL' | 'AUTH_REDIRECT_ALLOW'>
export type LinkPurpose = 'signup' | 'magiclink' | 'recovery'

/** Returns the page a link of this purpose leads to when the request names none, or one that is not allowed. */
export const getDefaultRedirect = (purpose: LinkPurpose, locale: Locale, { PUBLIC_URL }: RedirectConfig): string =>
  PUBLIC_URL + localizedPath(purpose === 'recovery' ? paths.resetPassword() : paths.verifyEmail(), locale)

/**
 * Returns the address a link may lead to (decision mailed-links): exactly one of our pages, or one of AUTH_REDIRECT_ALLOW,
 * compared after parsing as browsers parse; null for any other. The result is our own text, never what was sent.
 */
export function findAllowedRedirect(requested: unknown, config: RedirectConfig): string | null {
  if (typeof requested !== 'string' || !URL.canParse(requested)) return null
  const requestedUrl = new URL(requested)
  if (requestedUrl.username || requestedUrl.password) return null
  const ownPages = LOCALES.flatMap((locale) => [
    getDefaultRedirect('signup', locale, config),
    getDefaultRedirect('recovery', locale, config),
  ])
  return (
    [...ownPages, ...config.AUTH_REDIRECT_ALLOW].find(
      (url) => URL.canParse(url) && new URL(url).href === requestedUrl.href,
    ) ?? null
  )
}
