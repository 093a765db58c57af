import { refuse } from '../refusal.ts'
import type { ChallengeHistory, Dispute, IncumbentStatus } from './queries.ts'

const OPEN_CHALLENGES_MAX = 1
const RECENT_CHALLENGES_MAX = 3

/** The period over which challenges of one account are counted. */
export const CHALLENGE_PERIOD_DAYS = 90

/** Refuses when this person may not challenge another plate now (design decision 6). */
export function assertMayChallenge({ open, recent, oldest_ends_in_s }: ChallengeHistory): void {
  if (open >= OPEN_CHALLENGES_MAX) refuse('open_challenge')
  if (recent >= RECENT_CHALLENGES_MAX) refuse('too_many_challenges', { retryAfterS: oldest_ends_in_s ?? 0 })
}

/** What becomes of a dispute when some of its sides leave it (design decision 4). */
export type Ending = {
  /** Challenges that are over. */
  ended: string[]
  /** The vehicle that gets the plate, and as what. Null while the dispute goes on. */
  settled: { vehicleId: string; status: IncumbentStatus } | null
  /** The vehicle the challenges that go on are now against. Null when that does not change. */
  successor: { vehicleId: string; status: IncumbentStatus; disputes: string[] } | null
}

/**
 * Settles one plate's dispute. A challenger that leaves alone gives the plate back to the incumbent as it was. When the
 * incumbent leaves, a lone challenger gets the plate; of several the oldest takes the incumbent's side.
 *
 * @param disputes all open challenges of the plate, oldest first
 * @param leaving vehicles that leave
 */
export function endingOf(disputes: Dispute[], leaving: ReadonlySet<string>): Ending {
  const staying = disputes.filter((dispute) => !leaving.has(dispute.challenger_vehicle_id))
  const ended = disputes.filter((dispute) => leaving.has(dispute.challenger_vehicle_id)).map(({ id }) => id)
  const [first] = disputes
  if (!first) return { ended, settled: null, successor: null }

  if (!leaving.has(first.incumbent_vehicle_id)) {
    const settled = { vehicleId: first.incumbent_vehicle_id, status: first.incumbent_status }
    return { ended, settled: staying.length === 0 ? settled : null, successor: null }
  }

  const [heir, ...others] = staying
  if (!heir) return { ended, settled: null, successor: null }
  // whoever now holds the plate was never verified
  const next = { vehicleId: heir.challenger_vehicle_id, status: 'active' as const }
  return others.length === 0
    ? { ended: [...ended, heir.id], settled: next, successor: null }
    : { ended: [...ended, heir.id], settled: null, successor: { ...next, disputes: others.map(({ id }) => id) } }
}
