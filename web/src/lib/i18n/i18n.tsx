import { type LinkProps, type NavLinkProps, Link as RouterLink, NavLink as RouterNavLink } from 'react-router'
import { localizedPath } from '#contract/paths.ts'
import { LANGUAGE_TAGS } from '#contract/product.ts'
import { getLocale, type Locale, overwriteGetLocale } from '~/paraglide/runtime'

export type { Locale }
export { getLocale, LANGUAGE_TAGS }

/** The language of an address: the first path segment decides. */
export const localeFromPath = (pathname: string): Locale => (/^\/fr(\/|$)/.test(pathname) ? 'fr-CA' : 'en')

/** The address without its language: `/fr/login` → `/login`. */
export const stripLocale = (pathname: string) => pathname.replace(/^\/fr(?=\/|$)/, '') || '/'

/** The page at an address, as `paths` writes it: without its language and a last slash. */
export const canonicalPath = (pathname: string) => stripLocale(pathname.replace(/\/+$/, ''))

/** The address one is at, without its language, to come back to. */
export const currentPath = () => stripLocale(location.pathname) + location.search + location.hash

/** `to` (as `paths` writes it, without a language) in the language of the page, or in another one. */
export const href = (to: string, locale: Locale = getLocale()) => localizedPath(to, locale)

let prerenderLocale: Locale = 'en' // build time alone: pages are written one after the other (prerender.concurrency 1)

/** Build time: the page about to be written is this one. */
export function setPrerenderLocale(pathname: string) {
  prerenderLocale = localeFromPath(pathname)
}
overwriteGetLocale(import.meta.env.SSR ? () => prerenderLocale : () => localeFromPath(location.pathname))

/** A router link that stays in the language of the page. */
export function Link({ to, ...rest }: Omit<LinkProps, 'to'> & { to: string }) {
  return <RouterLink to={href(to)} {...rest} />
}

/** As `Link`, marked with aria-current on its own page. */
export function NavLink({ to, ...rest }: Omit<NavLinkProps, 'to'> & { to: string }) {
  return <RouterNavLink to={href(to)} {...rest} />
}
