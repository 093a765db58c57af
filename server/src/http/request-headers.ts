/**
 * Returns the encodings a client accepts besides the plain one: those named without a weight of zero (RFC 9110 §12.5.3).
 *
 * @param acceptEncoding the header, empty when there is none
 */
export function acceptedEncodings(acceptEncoding: string): Set<string> {
  // trimmed, not split by a pattern with white space, which takes time quadratic in the header's length
  const entries = acceptEncoding.split(',').map((part) =>
    part
      .toLowerCase()
      .split(';')
      .map((word) => word.trim()),
  )
  return new Set(entries.filter(([, weight]) => !/^q=0(\.0*)?$/.test(weight ?? '')).map(([name]) => name ?? ''))
}

/**
 * Returns whether the client already has the content of a tag, by the weak comparison RFC 9110 §13.1.2 requires.
 *
 * @param ifNoneMatch the header, empty when there is none
 */
export const matchesEtag = (ifNoneMatch: string, etag: string): boolean =>
  ifNoneMatch.trim() === '*' || ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
