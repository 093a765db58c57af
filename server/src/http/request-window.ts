import type { Counted } from './rate-limit.ts'

type Tally = { startMs: number; count: number; before: number }

/** Callers remembered at once, about 200 bytes each. Beyond it the one whose window began first is forgotten. */
const CALLERS_MAX = 50_000

/**
 * Counts requests in this process: of one caller about `limit` are let through in any `windowS` seconds, and never more
 * than that in the first ones. Each caller has the count of its current window and of the one before, which weighs less
 * and less: constant time a request, constant memory a caller.
 *
 * For floods, where a count that ends with the process and is each process's own is right. What protects an account or
 * an address is counted in the database: `countAgainst`.
 *
 * @param limit already scaled by LIMIT_SCALE
 * @returns counts one request of a caller; `nowMs` is monotonic. Only what is let through counts.
 */
export function requestWindow(limit: number, windowS: number, callersMax = CALLERS_MAX) {
  const windowMs = windowS * 1000
  // in the order in which their windows began
  const tallies = new Map<string, Tally>()

  const begin = (caller: string, last: Tally | undefined, nowMs: number): Tally => {
    const follows = last !== undefined && nowMs - last.startMs < 2 * windowMs
    const tally = follows
      ? { startMs: last.startMs + windowMs, count: 0, before: last.count }
      : { startMs: nowMs, count: 0, before: 0 }
    tallies.delete(caller)
    tallies.set(caller, tally)
    // the memory of a flood is given back as others come; each is deleted once, so this is constant time too
    for (const [oldest, { startMs }] of tallies) {
      if (tallies.size <= callersMax && nowMs - startMs < 2 * windowMs) break
      tallies.delete(oldest)
    }
    return tally
  }

  return (caller: string, nowMs = performance.now()): Counted => {
    const last = tallies.get(caller)
    const tally = last && nowMs - last.startMs < windowMs ? last : begin(caller, last, nowMs)
    const { startMs, before, count } = tally
    const weight = 1 - (nowMs - startMs) / windowMs
    if (before * weight + count < limit) {
      tally.count++
      return { allowed: true, retryAfterS: 0 }
    }
    // either the window before has to weigh less, or this one has to become the window before
    const share = count < limit ? 1 - (limit - count) / before : 1
    const waitMs = startMs + share * windowMs - nowMs
    return { allowed: false, retryAfterS: Math.floor(waitMs / 1000) + 1 }
  }
}
