import { paths } from '#contract/paths.ts'
import { safeRedirect } from '~/auth/safe-redirect'
import { stripLocale } from '~/lib/i18n/i18n'

/**
 * Returns where an admin goes after signing in, without the language: the admin page they had asked for, else /admin.
 */
export function adminRedirectTarget(): string {
  const next = safeRedirect(new URLSearchParams(location.search).get('next'))
  const path = next === null ? '' : stripLocale(next)
  const inside = /^\/admin(?:[/?#]|$)/.test(path) && !/^\/admin\/login(?:[/?#]|$)/.test(path)
  return inside ? path : paths.admin()
}
