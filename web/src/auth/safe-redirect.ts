import { paths } from '#contract/paths.ts'

/** Where somebody who signs in on this page goes: where they wanted to go before, else the dashboard. */
export const redirectTarget = (): string =>
  safeRedirect(new URLSearchParams(location.search).get('next')) ?? paths.dashboard()

/**
 * The `?next=` of /login as a path of this site, with query and fragment; null when it leads, or could be read to lead,
 * anywhere else. Compared after parsing as browsers parse: they drop tabs and line ends and read `\` as `/`.
 */
export function safeRedirect(next: string | null): string | null {
  if (!next?.startsWith('/') || next.startsWith('//') || next.includes('\\')) return null
  const base = 'https://own.invalid'
  const url = parseUrl(next, base)
  if (url?.origin !== base || url.pathname.startsWith('//')) return null
  return url.pathname + url.search + url.hash
}

/** As URL.parse, which browsers have since 2024 only. */
function parseUrl(path: string, base: string): URL | null {
  try {
    return new URL(path, base)
  } catch {
    return null
  }
}
