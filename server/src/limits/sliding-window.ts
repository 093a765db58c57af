import { SECOND_MS } from '../time.ts'
import type { RateLimitResult } from './rate-limiter.ts'

type WindowCounter = { startMs: number; count: number; previousCount: number }

/** Callers remembered at once, about 200 bytes each. Beyond it the one whose window began first is forgotten. */
const MAX_CALLERS = 50_000

/**
 * Counts requests in this process: of one caller about `limit` are let through in any `windowS` seconds, and never more
 * than that in the first ones. Each caller has the count of its current window and of the one before, which weighs less
 * and less: constant time a request, constant memory a caller.
 *
 * For floods, where a count that ends with the process and is each process's own is right. What protects an account or
 * an address is counted in the database: `consume`.
 *
 * @param limit already scaled by LIMIT_SCALE
 * @returns counts one request of a caller; `nowMs` is monotonic. Only what is let through counts.
 */
export function createSlidingWindow(limit: number, windowS: number, maxCallers = MAX_CALLERS) {
  const windowMs = windowS * SECOND_MS
  // in the order in which their windows began
  const counters = new Map<string, WindowCounter>()

  const startWindow = (caller: string, previous: WindowCounter | undefined, nowMs: number): WindowCounter => {
    const follows = previous !== undefined && nowMs - previous.startMs < 2 * windowMs
    const tally = follows
      ? { startMs: previous.startMs + windowMs, count: 0, previousCount: previous.count }
      : { startMs: nowMs, count: 0, previousCount: 0 }
    counters.delete(caller)
    counters.set(caller, tally)
    // the memory of a flood is given back as others come; each is deleted once, so this is constant time too
    for (const [oldest, { startMs }] of counters) {
      if (counters.size <= maxCallers && nowMs - startMs < 2 * windowMs) break
      counters.delete(oldest)
    }
    return tally
  }

  return (caller: string, nowMs = performance.now()): RateLimitResult => {
    const previous = counters.get(caller)
    const tally = previous && nowMs - previous.startMs < windowMs ? previous : startWindow(caller, previous, nowMs)
    const { startMs, previousCount, count } = tally
    const weight = 1 - (nowMs - startMs) / windowMs
    if (previousCount * weight + count < limit) {
      tally.count++
      return { allowed: true, retryAfterS: 0 }
    }
    // either the window before has to weigh less, or this one has to become the window before
    const elapsedShare = count < limit ? 1 - (limit - count) / previousCount : 1
    const waitMs = startMs + elapsedShare * windowMs - nowMs
    return { allowed: false, retryAfterS: Math.floor(waitMs / SECOND_MS) + 1 }
  }
}
