import { paths } from '#contract/paths.ts'
import { safeRedirect } from '~/auth/safe-redirect'
import { stripLocale } from '~/lib/i18n/i18n'

/** Where an admin who signs in goes, without a language: to the admin page they wanted to see before, else to /admin. */
export function adminRedirectTarget(): string {
  const next = safeRedirect(new URLSearchParams(location.search).get('next'))
  const path = next === null ? '' : stripLocale(next)
  const inside = /^\/admin(?:[/?#]|$)/.test(path) && !/^\/admin\/login(?:[/?#]|$)/.test(path)
  return inside ? path : paths.admin()
}
