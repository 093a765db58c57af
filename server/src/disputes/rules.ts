import { refuse } from '../refusal.ts'
import type { ChallengeHistory } from './queries.ts'

const OPEN_CHALLENGES_MAX = 1
const RECENT_CHALLENGES_MAX = 3

/** Refuses when this person may not challenge another plate now (decision 0051). */
export function assertCanChallenge({ open, recent, oldest_ends_in_s }: ChallengeHistory): void {
  if (open >= OPEN_CHALLENGES_MAX) refuse('open_challenge')
  if (recent >= RECENT_CHALLENGES_MAX) refuse('too_many_challenges', { retryAfterS: oldest_ends_in_s ?? 0 })
}
