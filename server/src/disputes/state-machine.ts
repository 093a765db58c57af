import type { AuditAction } from '#contract/admin.ts'
import type { NotificationType } from '#contract/notifications.ts'
import type { MailKind } from '../email/outbox.ts'
import { refuse } from '../refusal.ts'
import { DAY_S } from '../time.ts'
import type { ChallengeHistory, Dispute, IncumbentStatus } from './queries.ts'

// The dispute as a state machine: its transitions, and their effects on each side. The flows in `vehicles` read these
// tables; `docs/disputes.md` shows them to people, and a test compares the two.

/** The state of an open challenge. It ends when its row is deleted. */
type DisputeState = 'awaiting_documents' | 'documents_received'

export const getDisputeState = ({ documents_received_at }: { documents_received_at: string | null }): DisputeState =>
  documents_received_at === null ? 'awaiting_documents' : 'documents_received'

/** What a transition does to a vehicle, and how its owner is informed. */
export type Effect = {
  /** Its status afterwards; `deleted`: the row is deleted, and the messages it received stay with their senders. */
  vehicle: 'verified' | 'rejected' | 'deleted'
  notification: NotificationType | null
  mail: MailKind | null
  /** Set when no person decides it: its email then says so, and how a person looks again. */
  automatic?: true
}

export type Transition = {
  by: 'owner' | 'admin' | 'clock'
  /** The states it is possible in. */
  from: readonly DisputeState[]
  /** The sides it can be applied to. */
  on: readonly ('incumbent' | 'challenger')[]
  /** Its effect on the vehicle it is applied to. */
  itself: Effect
  /** Its effect on the other sides. `settled`: as `resolveDispute` decides (decision plate-disputes). */
  others: Effect | 'settled'
  /** Its name in the audit log. Null: what people do with their own vehicles is not recorded. */
  audit: AuditAction | null
}

const ANY_STATE = ['awaiting_documents', 'documents_received'] as const
const EITHER_SIDE = ['incumbent', 'challenger'] as const
const REJECTED: Effect = { vehicle: 'rejected', notification: 'vehicle_rejected', mail: 'vehicle_rejected' }

/**
 * Everything that can end a challenge (requirements §4, decision plate-disputes). Applies to vehicles without one too.
 */
export const TRANSITIONS = {
  approval: {
    by: 'admin',
    from: ANY_STATE,
    on: EITHER_SIDE,
    itself: { vehicle: 'verified', notification: 'vehicle_approved', mail: 'vehicle_approved' },
    others: { vehicle: 'deleted', notification: 'vehicle_deleted', mail: 'vehicle_deleted' },
    audit: 'vehicle_approved',
  },
  rejection: {
    by: 'admin',
    from: ANY_STATE,
    on: EITHER_SIDE,
    itself: REJECTED,
    others: 'settled',
    audit: 'vehicle_rejected',
  },
  deletion_by_admin: {
    by: 'admin',
    from: ANY_STATE,
    on: EITHER_SIDE,
    itself: { vehicle: 'deleted', notification: 'vehicle_deleted', mail: null },
    others: 'settled',
    audit: 'vehicle_deleted',
  },
  // also 'I sold it', and the deletion of the account by anybody
  deletion_by_owner: {
    by: 'owner',
    from: ANY_STATE,
    on: EITHER_SIDE,
    itself: { vehicle: 'deleted', notification: null, mail: null },
    others: 'settled',
    audit: null,
  },
  overdue: {
    by: 'clock',
    from: ['awaiting_documents'],
    on: ['challenger'],
    itself: { ...REJECTED, automatic: true },
    others: 'settled',
    audit: 'dispute_overdue',
  },
} as const satisfies Record<string, Transition>

/** How a settled dispute ended for the vehicle that has the plate now. */
export type Settlement =
  /** The incumbent was paused and has its earlier status again. */
  | 'restored'
  /** The incumbent was verified, and stayed so throughout. */
  | 'stayed'
  /** No challenge paused the incumbent, which was never anything but what it is. */
  | 'undisturbed'
  /** The last challenge that paused the incumbent is over; others wait for an admin. */
  | 'resumed'
  /** A challenger has the plate: the incumbent left, and so did every other challenger. */
  | 'gained'
  /** A challenger has the plate: the incumbent left, and so did the last that kept it waiting; others wait for an admin. */
  | 'started'

/**
 * Sent to the owner who keeps or gets the plate, without a notification. Sides whose dispute goes on get nothing, unless
 * their plate works again.
 */
export const SETTLED_MAIL: MailKind = 'dispute_settled'

/** The outcome of a dispute when some of its sides leave it (decision plate-disputes). */
type Resolution = {
  /** Challenges that are over. */
  ended: string[]
  /**
   * The vehicle that has the plate again, or now, and its status. Null while the dispute goes on as it was: only with
   * `resumed` and `started` it goes on, without pausing the incumbent any more.
   */
  settled: { vehicleId: string; status: IncumbentStatus; settlement: Settlement } | null
  /** The incumbent, when it kept its plate against a challenge that is over (decision plate-disputes). */
  survivor: string | null
  /** The vehicle that the remaining challenges are now against. Null when that does not change. */
  successor: { vehicleId: string; status: IncumbentStatus; disputes: string[] } | null
}

/**
 * Settles one plate's dispute. When the last challenger leaves, or the last whose challenge pauses the plate, the
 * incumbent gets its earlier status back. When the incumbent leaves, a lone challenger gets the plate; of several the
 * oldest becomes the incumbent.
 *
 * @param disputes all open challenges of the plate, oldest first
 * @param leaving vehicles that leave
 */
export function resolveDispute(disputes: Dispute[], leaving: ReadonlySet<string>): Resolution {
  const remaining = disputes.filter((dispute) => !leaving.has(dispute.challenger_vehicle_id))
  const ended = disputes.filter((dispute) => leaving.has(dispute.challenger_vehicle_id)).map(({ id }) => id)
  const [first] = disputes
  if (!first) return { ended, settled: null, survivor: null, successor: null }

  const { incumbent_vehicle_id: vehicleId, incumbent_status: status } = first
  if (!leaving.has(vehicleId)) {
    const settlement = findSettlement(status, disputes, remaining)
    const settled = settlement && { vehicleId, status, settlement }
    return { ended, settled, survivor: ended.length > 0 ? vehicleId : null, successor: null }
  }

  const [successor, ...others] = remaining
  if (!successor) return { ended, settled: null, survivor: null, successor: null }
  // a challenger was never verified
  const next = { vehicleId: successor.challenger_vehicle_id, status: 'active' as const }
  return others.length === 0
    ? { ended: [...ended, successor.id], settled: { ...next, settlement: 'gained' }, survivor: null, successor: null }
    : {
        ended: [...ended, successor.id],
        settled: null,
        survivor: null,
        successor: { ...next, disputes: others.map(({ id }) => id) },
      }
}

/**
 * Returns whether the incumbent of these challenges is a challenger that took the side of one that left, and has been waiting
 * since. Once it is live, only challenges that do not pause it are left from that time, and it is an incumbent like any other.
 */
export const isWaitingSuccessor = (disputes: Dispute[]): boolean =>
  disputes.some(({ incumbent_succeeded, pauses }) => incumbent_succeeded && pauses)

/** Finds how a dispute ended for its incumbent; null while it goes on as it was. */
function findSettlement(status: IncumbentStatus, before: Dispute[], remaining: Dispute[]): Settlement | null {
  const wasPaused = before.some(({ pauses }) => pauses)
  const isPaused = remaining.some(({ pauses }) => pauses)
  if (remaining.length > 0 && (isPaused || !wasPaused)) return null
  if (isWaitingSuccessor(before)) return remaining.length > 0 ? 'started' : 'gained'
  if (remaining.length > 0) return 'resumed'
  if (status === 'verified') return 'stayed'
  return wasPaused ? 'restored' : 'undisturbed'
}

const OPEN_CHALLENGES_MAX = 1
const RECENT_CHALLENGES_MAX = 3

/** Refuses when this person may not challenge a plate that somebody has (decision plate-disputes). */
export function assertCanChallenge({ open, recent, oldest_ends_in_s }: ChallengeHistory): void {
  if (open >= OPEN_CHALLENGES_MAX) refuse('open_challenge')
  if (recent >= RECENT_CHALLENGES_MAX) refuse('too_many_challenges', { retryAfterS: oldest_ends_in_s ?? 0 })
}

/** How long a plate that survived a challenge is not paused by another one. */
const SURVIVOR_PROTECTED_S = 90 * DAY_S

type PauseFacts = {
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
