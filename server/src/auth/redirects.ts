import { localizedPath, paths } from '#contract/paths.ts'
import { LOCALES, type Locale } from '#contract/product.ts'
import type { Config } from '../config.ts'

type Sites = Pick<Config, 'PUBLIC_URL' | 'AUTH_REDIRECT_ALLOW'>
export type LinkPurpose = 'signup' | 'magiclink' | 'recovery'

/** Where a link of this purpose leads when nobody said so, or said something else than we allow. */
export const homeOf = (purpose: LinkPurpose, locale: Locale, { PUBLIC_URL }: Sites): string =>
  PUBLIC_URL + localizedPath(purpose === 'recovery' ? paths.resetPassword() : paths.verifyEmail(), locale)

/**
 * The address a link may lead to (design decision 19): exactly one of our pages, or one of AUTH_REDIRECT_ALLOW, compared
 * after parsing as browsers parse; null for any other. What is returned is ours, never what was sent.
 */
export function allowedRedirect(wish: unknown, sites: Sites): string | null {
  if (typeof wish !== 'string' || !URL.canParse(wish)) return null
  const wanted = new URL(wish)
  if (wanted.username || wanted.password) return null
  const own = LOCALES.flatMap((locale) => [homeOf('signup', locale, sites), homeOf('recovery', locale, sites)])
  return (
    [...own, ...sites.AUTH_REDIRECT_ALLOW].find((url) => URL.canParse(url) && new URL(url).href === wanted.href) ?? null
  )
}
