import type { FastifyRequest } from 'fastify'
import { FRESH_FACTOR_S } from '#contract/auth.ts'
import { refuse } from '../refusal.ts'

/** The user who makes a request, as the session and the account are at this moment. */
export type Actor = {
  id: string
  sessionId: string
  email: string
  /** Who this is: the hash of the mailbox that the account was made with (`hashPerson`, decision email-change). */
  personHash: Buffer
  emailConfirmed: boolean
  /** Whether the person is suspended: they reach only what `AuthenticateOptions` says (decision sanctions-and-appeals). */
  suspended: boolean
  isAdmin: boolean
  /** Whether the account has a second factor, so that a session must be verified with it. */
  hasFactor: boolean
  /** The seconds since this session was verified with a second factor; null: it never was. */
  factorAgeS: number | null
  /** Whether what admins do needs a second factor: this installation requires one, or the account has one. */
  adminNeedsFactor: boolean
}

export type AuthenticateOptions = {
  /** Admits suspended people: what is theirs by law, and what a suspension is appealed with. */
  admitSuspended?: boolean | undefined
}

/**
 * Returns the user who makes a request, or refuses with `signed_out`, `session_ended`, `suspended` or
 * `second_factor_required`. Created by `auth/authenticate.ts`. Called on every request, so that sign-out, suspension and
 * deletion take effect immediately.
 */
export type Authenticate = (request: FastifyRequest, options?: AuthenticateOptions) => Promise<Actor>

/** What says whether a session was verified with a factor that is needed. */
export type FactorState = Pick<Actor, 'adminNeedsFactor' | 'factorAgeS'>

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
