import { paths } from '#contract/paths.ts'
import { ownPath } from '~/auth/own-path'
import { withoutLocale } from '~/lib/i18n'

/** Where an admin who signs in goes, without a language: to the admin page they wanted to see before, else to /admin. */
export function adminLandingPath(): string {
  const next = ownPath(new URLSearchParams(location.search).get('next'))
  const path = next === null ? '' : withoutLocale(next)
  const inside = /^\/admin(?:[/?#]|$)/.test(path) && !/^\/admin\/login(?:[/?#]|$)/.test(path)
  return inside ? path : paths.admin()
}
