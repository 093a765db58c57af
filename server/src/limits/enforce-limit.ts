import type { Config } from '../config.ts'
import type { Db } from '../db/pool.ts'
import type { Logger } from '../log/logger.ts'
import { type LimitText, refuse } from '../refusal.ts'
import { LIMITS } from './limits.ts'
import { enclosingNetworks } from './network.ts'
import { type Count, consumeAll, type RateLimitResult, scaleLimit } from './rate-limiter.ts'

type Limits = typeof LIMITS
type Scale = Pick<Config, 'LIMIT_SCALE'>

/** The limits that are counted in the database over a window of time. */
type DatabaseLimit = {
  [Name in keyof Limits]: Limits[Name] extends { storage: 'process' } | { windowS: null } ? never : Name
}[keyof Limits]

/** The limits on the whole installation. */
type Ceiling = {
  [Name in keyof Limits]: Limits[Name] extends { subject: 'installation' } ? Name : never
}[keyof Limits]

/** Returns the count of a limit of the table, scaled by LIMIT_SCALE. */
export const limitCount = (config: Scale, name: DatabaseLimit, key: string, factor = 1): Count => ({
  key,
  max: scaleLimit(LIMITS[name].max * factor, config),
  windowS: LIMITS[name].windowS,
})

/**
 * Returns the counts of a limit on networks: one for each network an address belongs to, with growing maxima (decision
 * rate-limits).
 *
 * @param toKey from a network to the key of its count, with a keyed hash: never the network itself
 */
export const networkCounts = (
  config: Scale,
  name: DatabaseLimit,
  ip: string,
  toKey: (network: string) => string,
): Count[] => enclosingNetworks(ip).map(({ network, factor }) => limitCount(config, name, toKey(network), factor))

const ceilingKey = (name: Ceiling) => `ceiling:${name}`

/** Returns the count of a limit on the whole installation; pass it last, and its log to `consumeCounts`. */
export const ceilingCount = (config: Scale, name: Ceiling): Count => limitCount(config, name, ceilingKey(name))

/**
 * Counts one attempt in all of these counts, or in none (see `consumeAll`). A full ceiling is logged as an alarm: somebody
 * attacks from many networks at once, or the installation has outgrown its limits.
 */
export async function consumeCounts(db: Db, log: Logger, counts: Count[]): Promise<RateLimitResult> {
  const { full, ...result } = await consumeAll(db, counts)
  for (const key of full.filter((one) => one.startsWith('ceiling:'))) {
    log.error({ ceiling: key.slice('ceiling:'.length) }, 'alarm: a limit of the whole installation is reached')
  }
  return result
}

/**
 * Counts one attempt against a limit of the table, and refuses with `too_many_requests` when there were too many.
 *
 * @param limit names the text of this limit, if it has one of its own
 */
export async function enforceLimit(
  db: Db,
  config: Scale,
  name: DatabaseLimit,
  key: string,
  limit?: LimitText,
): Promise<void> {
  const { allowed, retryAfterS } = await consumeAll(db, [limitCount(config, name, key)])
  if (!allowed) refuse('too_many_requests', { ...(limit && { limit }), retryAfterS })
}
