/** Returns the seconds of a `Retry-After` header; undefined when it is missing or a date. */
export function parseRetryAfter(header: string | null): number | undefined {
  const seconds = Number(header ?? Number.NaN)
  return Number.isFinite(seconds) ? seconds : undefined
}
