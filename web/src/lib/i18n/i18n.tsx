import { type LinkProps, type NavLinkProps, Link as RouterLink, NavLink as RouterNavLink } from 'react-router'
import { localizedPath } from '#contract/paths.ts'
import { LANGUAGE_TAGS } from '#contract/product.ts'
import { getLocale, type Locale, overwriteGetLocale } from '~/paraglide/runtime'

export type { Locale }
export { getLocale, LANGUAGE_TAGS }

/** Returns the language of a path, which its first segment decides. */
export const localeFromPath = (pathname: string): Locale => (/^\/fr(\/|$)/.test(pathname) ? 'fr-CA' : 'en')

/** Returns a path without its language: `/fr/login` → `/login`. */
export const stripLocale = (pathname: string) => pathname.replace(/^\/fr(?=\/|$)/, '') || '/'

/** Returns the path as `paths` has it: without its language and a trailing slash. */
export const canonicalPath = (pathname: string) => stripLocale(pathname.replace(/\/+$/, ''))

/** Returns the path, query and fragment of the current page without its language, to come back to. */
export const currentPath = () => stripLocale(location.pathname) + location.search + location.hash

/** Returns a path of `paths` in the language of the page, or in another one. */
export const href = (to: string, locale: Locale = getLocale()) => localizedPath(to, locale)

let prerenderLocale: Locale = 'en' // used by the build only, which renders one page at a time (prerender.concurrency)

/** Sets the language of the page that the build renders next. */
export function setPrerenderLocale(pathname: string) {
  prerenderLocale = localeFromPath(pathname)
}
overwriteGetLocale(import.meta.env.SSR ? () => prerenderLocale : () => localeFromPath(location.pathname))

/** Renders a router link that stays in the language of the page. */
export function Link({ to, ...rest }: Omit<LinkProps, 'to'> & { to: string }) {
  return <RouterLink to={href(to)} {...rest} />
}

/** Renders a `Link` that has aria-current on its own page. */
export function NavLink({ to, ...rest }: Omit<NavLinkProps, 'to'> & { to: string }) {
  return <RouterNavLink to={href(to)} {...rest} />
}
