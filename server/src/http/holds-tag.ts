/**
 * Whether the caller holds the bytes of a tag already; the comparison is the weak one, as RFC 9110 §13.1.2 wants it.
 *
 * @param ifNoneMatch the header, empty when there is none
 */
export const holdsTag = (ifNoneMatch: string, etag: string): boolean =>
  ifNoneMatch.trim() === '*' || ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
