import { plateSubject, recordAction } from '../audit/record-action.ts'
import { inTransaction } from '../db/transaction.ts'
import { dueDay } from '../disputes/business-days.ts'
import { MOVES, stateOf } from '../disputes/machine.ts'
import { challengerOf, lockDispute, overdueDisputes } from '../disputes/queries.ts'
import { faultOf } from '../http/errors.ts'
import type { Parts } from '../parts.ts'
import { MINUTE_MS, type Repeated, repeat } from '../repeat.ts'
import { localeOfOwner, lockVehicle } from './queries.ts'
import { overdueReason } from './reject-reason.ts'
import { rejectLocked } from './reject-vehicle.ts'

type ClockParts = Pick<Parts, 'db' | 'keyring' | 'live' | 'outbox' | 'log'>

const DISPUTES_AT_ONCE = 100
const { from, itself, audit } = MOVES.overdue

/**
 * Ends every challenge whose date has passed without documents: its vehicle is rejected with that reason, and when it
 * was the last one the incumbent gets its earlier status back (design decision 4). Each is settled in a transaction of
 * its own; one that cannot be is logged, tried again next time, and stands in nobody's way. Several processes may do
 * this at once.
 *
 * @param signal ends the work behind the challenge that is being settled
 * @returns how many this call ended
 */
export async function settleOverdue(parts: ClockParts, signal?: AbortSignal): Promise<number> {
  let settled = 0
  for (let after: string | null = null; ; ) {
    const due: string[] = await overdueDisputes(parts.db, after, DISPUTES_AT_ONCE)
    for (const id of due) {
      if (signal?.aborted) return settled
      try {
        if (await settle(parts, id)) settled++
      } catch (error) {
        parts.log.error({ fault: faultOf(error), dispute: id }, 'a dispute could not be settled; it is tried again')
      }
    }
    if (due.length < DISPUTES_AT_ONCE) return settled
    after = due.at(-1) ?? null
  }
}

/** False when another process was faster, or the documents came in this moment. */
async function settle({ db, keyring, live, outbox }: ClockParts, disputeId: string): Promise<boolean> {
  const told = await inTransaction(db, async (tx) => {
    const challengerId = await challengerOf(tx, disputeId)
    const vehicle = challengerId && (await lockVehicle(tx, challengerId))
    const dispute = await lockDispute(tx, disputeId)
    if (!vehicle || !dispute?.is_due || !from.some((state) => state === stateOf(dispute))) return null
    const done = { actor: null, action: audit, subject: plateSubject(vehicle), subjectId: dispute.id }
    const decisionId = await recordAction(tx, keyring, done)
    const locale = await localeOfOwner(tx, vehicle.id)
    const reason = overdueReason[locale](dueDay(dispute.documents_due_at, locale))
    return rejectLocked(tx, keyring, vehicle, { decisionId, reason, fate: itself })
  })
  if (!told) return false
  live.publish(told)
  outbox.wake()
  return true
}

/** Settles what is overdue now and every minute, until stopped. */
export const startDisputeClock = (parts: ClockParts): Repeated =>
  repeat(parts.log, 'looking for overdue disputes', MINUTE_MS, (stopping) => settleOverdue(parts, stopping))
