import { FRESH_FACTOR_S } from '#contract/auth.ts'
import { refuse } from '../refusal.ts'
import type { Actor } from './actor.ts'

type FactorState = Pick<Actor, 'adminNeedsFactor' | 'factorAgeS'>

/** Refuses what admins do with `second_factor_required`, where it needs a factor and the session has none. */
export function requireSecondFactor({ adminNeedsFactor, factorAgeS }: FactorState): void {
  if (adminNeedsFactor && factorAgeS === null) refuse('second_factor_required')
}

/**
 * Refuses what cannot be undone with `fresh_factor_required`, unless the session was verified with a factor within 10
 * minutes. A browser that an admin has left open is not enough for it.
 */
export function requireFreshFactor(state: FactorState): void {
  requireSecondFactor(state)
  if (state.adminNeedsFactor && (state.factorAgeS ?? 0) > FRESH_FACTOR_S) refuse('fresh_factor_required')
}
