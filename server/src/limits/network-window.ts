import type { Limit } from './limits.ts'
import { enclosingNetworks } from './network.ts'
import { type RateLimitResult, scaleLimit } from './rate-limiter.ts'
import { createSlidingWindow } from './sliding-window.ts'

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
