import { SECOND_MS } from '../time.ts'
import type { Limit } from './limits.ts'
import { enclosingNetworks } from './network.ts'
import { type RateLimitResult, scaleLimit } from './rate-limiter.ts'

type WindowCounter = { startMs: number; count: number; previousCount: number }

/** The callers remembered at one time, about 200 bytes each. Beyond it the one whose window began first is evicted. */
const MAX_CALLERS = 50_000

/**
 * Returns a function that counts requests in this process: about `limit` of one caller are allowed in any `windowS` seconds,
 * and never more than that in the first window. Each caller has the count of its current window and of the previous one,
 * which weighs less and less: constant time per request, constant memory per caller.
 *
 * For floods, where a count that each process keeps for itself is enough. Limits that protect an account or an address are
 * counted in the database (`consume`).
 *
 * @param limit already scaled by LIMIT_SCALE
 * @returns counts one request of a caller; `nowMs` is monotonic. Only allowed requests count.
 */
export function createSlidingWindow(limit: number, windowS: number, maxCallers = MAX_CALLERS) {
  const windowMs = windowS * SECOND_MS
  // ordered by when the window began
  const counters = new Map<string, WindowCounter>()

  const startWindow = (caller: string, previous: WindowCounter | undefined, nowMs: number): WindowCounter => {
    const follows = previous !== undefined && nowMs - previous.startMs < 2 * windowMs
    const current = follows
      ? { startMs: previous.startMs + windowMs, count: 0, previousCount: previous.count }
      : { startMs: nowMs, count: 0, previousCount: 0 }
    counters.delete(caller)
    counters.set(caller, current)
    // frees the memory of a flood as other callers come; each is deleted once, so this is constant time too
    for (const [oldest, { startMs }] of counters) {
      if (counters.size <= maxCallers && nowMs - startMs < 2 * windowMs) break
      counters.delete(oldest)
    }
    return current
  }

  return (caller: string, nowMs = performance.now()): RateLimitResult => {
    const previous = counters.get(caller)
    const current = previous && nowMs - previous.startMs < windowMs ? previous : startWindow(caller, previous, nowMs)
    const { startMs, previousCount, count } = current
    const weight = 1 - (nowMs - startMs) / windowMs
    if (previousCount * weight + count < limit) {
      current.count++
      return { allowed: true, retryAfterS: 0 }
    }
    // either the previous window has to weigh less, or this one has to become the previous one
    const elapsedShare = count < limit ? 1 - (limit - count) / previousCount : 1
    const waitMs = startMs + elapsedShare * windowMs - nowMs
    return { allowed: false, retryAfterS: Math.floor(waitMs / SECOND_MS) + 1 }
  }
}

type ProcessLimit = Limit & { windowS: number }

/**
 * Returns a function that counts a request of an address in this process: in each network the address belongs to, with
 * growing maxima (decision rate-limits).
 */
export function createNetworkWindow(
  { max, windowS }: ProcessLimit,
  config: { LIMIT_SCALE: number },
): (ip: string) => RateLimitResult {
  const windows = new Map<number, ReturnType<typeof createSlidingWindow>>()
  const windowOf = (factor: number) => {
    const known = windows.get(factor) ?? createSlidingWindow(scaleLimit(max * factor, config), windowS)
    windows.set(factor, known)
    return known
  }
  return (ip) => {
    // the narrowest first: a caller over their own limit uses up nothing of the wider networks
    for (const { network, factor } of enclosingNetworks(ip)) {
      const result = windowOf(factor)(network)
      if (!result.allowed) return result
    }
    return { allowed: true, retryAfterS: 0 }
  }
}
