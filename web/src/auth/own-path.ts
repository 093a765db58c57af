/**
 * The `?next=` of /login as a path of this site, with query and fragment; null when it leads, or could be read to lead,
 * anywhere else. Compared after parsing as browsers parse: they drop tabs and line ends and read `\` as `/`.
 */
export function ownPath(next: string | null): string | null {
  if (!next?.startsWith('/') || next.startsWith('//') || next.includes('\\')) return null
  const base = 'https://own.invalid'
  if (!URL.canParse(next, base)) return null
  const { origin, pathname, search, hash } = new URL(next, base)
  if (origin !== base || pathname.startsWith('//')) return null
  return pathname + search + hash
}
