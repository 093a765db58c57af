import type { LimitText } from '#contract/errors.ts'
import type { Config } from '../config.ts'
import type { Db } from '../db/pool.ts'
import { refuse } from '../refusal.ts'
import { LIMITS } from './limits.ts'
import { consume, type RateLimitResult, scaleLimit } from './rate-limiter.ts'

type Limits = typeof LIMITS

/** The limits that are counted in the database over a window of time. */
export type DatabaseLimit = {
  [Name in keyof Limits]: Limits[Name] extends { storage: 'database'; windowS: number } ? Name : never
}[keyof Limits]

/** Counts one attempt against a limit of the table, scaled by LIMIT_SCALE (see `consume`). */
export const consumeLimit = (
  db: Db,
  config: Pick<Config, 'LIMIT_SCALE'>,
  name: DatabaseLimit,
  key: string,
): Promise<RateLimitResult> => consume(db, key, scaleLimit(LIMITS[name].max, config), LIMITS[name].windowS)

/**
 * Counts one attempt against a limit of the table, and refuses with `too_many_requests` when there were too many.
 *
 * @param limit names the text of this limit, if it has one of its own
 */
export async function enforceLimit(
  db: Db,
  config: Pick<Config, 'LIMIT_SCALE'>,
  name: DatabaseLimit,
  key: string,
  limit?: LimitText,
): Promise<void> {
  const { allowed, retryAfterS } = await consumeLimit(db, config, name, key)
  if (!allowed) refuse('too_many_requests', { ...(limit && { limit }), retryAfterS })
}
