import { paths } from '#contract/paths.ts'

/**
 * Returns where to go after signing in: the page that was asked for before (`?next=`), else the dashboard.
 *
 * @param remembered what the browser knows where this tab cannot, because the link of an email opened it (`sendIntentOf`)
 */
export const redirectTarget = (remembered: string | null = null): string =>
  wantedPage(location.search) ?? safeRedirect(remembered) ?? paths.dashboard()

/** Returns the page that the query of an address asks for; null: none, or none of this site. */
export const wantedPage = (search: string): string | null => safeRedirect(new URLSearchParams(search).get('next'))

/** Returns whether a page is the one for sending a message, with or without a plate. */
export const isSendPage = (path: string | null | undefined): boolean => /^\/send\/?(?=[?#]|$)/.test(path ?? '')

/**
 * Returns `next` as a path of this site, with query and fragment; null when it leads, or could be read to lead,
 * anywhere else. Compares after parsing as browsers parse: they drop tabs and line breaks and read `\` as `/`.
 */
export function safeRedirect(next: string | null): string | null {
  if (!next?.startsWith('/') || next.startsWith('//') || next.includes('\\')) return null
  const base = 'https://own.invalid'
  const url = parseUrl(next, base)
  if (url?.origin !== base || url.pathname.startsWith('//')) return null
  return url.pathname + url.search + url.hash
}

/** Works like URL.parse, which browsers have had only since 2024. */
function parseUrl(path: string, base: string): URL | null {
  try {
    return new URL(path, base)
  } catch {
    return null
  }
}
