/** The seconds of a `Retry-After` header; undefined where there is none, or a date. */
export function parseRetryAfter(header: string | null): number | undefined {
  const seconds = Number(header ?? Number.NaN)
  return Number.isFinite(seconds) ? seconds : undefined
}
