import type { AuditAction } from '#contract/admin.ts'
import type { NotificationType } from '#contract/notifications.ts'
import type { MailKind } from '../email/outbox.ts'
import type { Dispute, IncumbentStatus } from './queries.ts'

// The dispute as a state machine: what moves it, and what follows for each side. The flows in `vehicles` read these
// tables; `docs/disputes.md` shows them to people, and a test compares the two.

/** How an open challenge stands. It ends with its row. */
export type DisputeState = 'awaiting_documents' | 'documents_received'

export const getDisputeState = ({ documents_received_at }: { documents_received_at: string | null }): DisputeState =>
  documents_received_at === null ? 'awaiting_documents' : 'documents_received'

/** What a move does to a vehicle, and how its owner is told. */
export type Effect = {
  /** Its status afterwards; `deleted`: the row goes, with the messages it received. */
  vehicle: 'verified' | 'rejected' | 'deleted'
  notification: NotificationType | null
  mail: MailKind | null
}

export type Transition = {
  by: 'owner' | 'admin' | 'clock'
  /** The states it is open in. */
  from: readonly DisputeState[]
  /** The sides it can be made on. */
  on: readonly ('incumbent' | 'challenger')[]
  /** What becomes of the vehicle it is made on. */
  itself: Effect
  /** What becomes of the other sides. `settled`: by `resolveDispute`, as decision 0049 says. */
  others: Effect | 'settled'
  /** How the audit log names it. Null: nothing there about what people do with their own. */
  audit: AuditAction | null
}

const ANY_STATE = ['awaiting_documents', 'documents_received'] as const
const EITHER_SIDE = ['incumbent', 'challenger'] as const
const REJECTED: Effect = { vehicle: 'rejected', notification: 'vehicle_rejected', mail: 'vehicle_rejected' }

/** Everything that can end a challenge (requirements §4, decisions 0049 and 0050); the same holds for a vehicle without one. */
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
  // 'I sold it' too, and the deletion of the account, by whomever
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
    itself: REJECTED,
    others: 'settled',
    audit: 'dispute_overdue',
  },
} as const satisfies Record<string, Transition>

/** What a settled dispute was for who has the plate now. */
export type Settlement =
  /** The incumbent was paused and is what it was before. */
  | 'restored'
  /** The incumbent was verified, and stayed so all the time. */
  | 'stayed'
  /** The challenger has the plate: the incumbent left. */
  | 'gained'

/** To who keeps or gets the plate; those whose dispute goes on are told nothing. There is no notification of this. */
export const SETTLED_MAIL: MailKind = 'dispute_settled'

/** What becomes of a dispute when some of its sides leave it (decision 0049). */
export type Resolution = {
  /** Challenges that are over. */
  ended: string[]
  /** The vehicle that gets the plate, and as what. Null while the dispute goes on. */
  settled: { vehicleId: string; status: IncumbentStatus; settlement: Settlement } | null
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
export function resolveDispute(disputes: Dispute[], leaving: ReadonlySet<string>): Resolution {
  const remaining = disputes.filter((dispute) => !leaving.has(dispute.challenger_vehicle_id))
  const ended = disputes.filter((dispute) => leaving.has(dispute.challenger_vehicle_id)).map(({ id }) => id)
  const [first] = disputes
  if (!first) return { ended, settled: null, successor: null }

  const { incumbent_vehicle_id: vehicleId, incumbent_status: status } = first
  if (!leaving.has(vehicleId)) {
    const settled = { vehicleId, status, settlement: status === 'verified' ? 'stayed' : 'restored' } as const
    return { ended, settled: remaining.length === 0 ? settled : null, successor: null }
  }

  const [successor, ...others] = remaining
  if (!successor) return { ended, settled: null, successor: null }
  // whoever now holds the plate was never verified
  const next = { vehicleId: successor.challenger_vehicle_id, status: 'active' as const }
  return others.length === 0
    ? { ended: [...ended, successor.id], settled: { ...next, settlement: 'gained' }, successor: null }
    : { ended: [...ended, successor.id], settled: null, successor: { ...next, disputes: others.map(({ id }) => id) } }
}
