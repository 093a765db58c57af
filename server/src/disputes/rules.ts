import { refuse } from '../refusal.ts'
import { DAY_S } from '../time.ts'
import type { ChallengeHistory, IncumbentStatus } from './queries.ts'

const OPEN_CHALLENGES_MAX = 1
const RECENT_CHALLENGES_MAX = 3

/** Refuses when this person may not challenge a plate that somebody has (decision plate-disputes). */
export function assertCanChallenge({ open, recent, oldest_ends_in_s }: ChallengeHistory): void {
  if (open >= OPEN_CHALLENGES_MAX) refuse('open_challenge')
  if (recent >= RECENT_CHALLENGES_MAX) refuse('too_many_challenges', { retryAfterS: oldest_ends_in_s ?? 0 })
}

/** How long a plate that survived a challenge is not paused by another one. */
const SURVIVOR_PROTECTED_S = 90 * DAY_S

export type PauseFacts = {
  /** What the incumbent is, or was before its dispute. */
  status: IncumbentStatus
  /** The seconds since the incumbent survived a challenge; null: never. */
  survivedAgoS: number | null
}

/**
 * Returns whether a challenge pauses the incumbent (requirements §4, decision plate-disputes). One that does not waits for an
 * admin, and the incumbent stays live.
 */
export const pausesPlate = ({ status, survivedAgoS }: PauseFacts): boolean =>
  status !== 'verified' && (survivedAgoS === null || survivedAgoS >= SURVIVOR_PROTECTED_S)
