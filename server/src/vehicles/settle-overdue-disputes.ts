import { m } from '#texts/messages.js'
import { recordPlateAction } from '../audit/record-action.ts'
import type { AppContext } from '../context.ts'
import { inTransaction } from '../db/transaction.ts'
import { formatDueDate } from '../disputes/business-days.ts'
import { findChallengerVehicleId, findOverdueDisputeIds, lockDispute } from '../disputes/queries.ts'
import { getDisputeState, TRANSITIONS } from '../disputes/state-machine.ts'
import { type BackgroundJob, startIntervalJob } from '../jobs/interval-job.ts'
import { describeError } from '../log/safe-error.ts'
import { MINUTE_MS } from '../time.ts'
import { announceDecision, type DecisionContext } from './notify-owners.ts'
import { getOwnerLocale, lockVehicle } from './queries.ts'
import { rejectLockedVehicle } from './reject-vehicle.ts'

type OverdueJobContext = DecisionContext & Pick<AppContext, 'log'>

const BATCH_SIZE = 100
const { from, itself, audit } = TRANSITIONS.overdue

/**
 * Ends every challenge whose due date has passed without documents: its vehicle is rejected with that reason, and when
 * it was the last one the incumbent gets its earlier status back (decision plate-disputes). Each is settled in its own
 * transaction; one that fails is logged, retried next time, and does not block the others. Several processes may do
 * this at the same time.
 *
 * @param signal stops the work after the challenge that is being settled
 * @returns how many challenges this call ended
 */
export async function settleOverdueDisputes(context: OverdueJobContext, signal?: AbortSignal): Promise<number> {
  let settled = 0
  for (let after: string | null = null; ; ) {
    const due: string[] = await findOverdueDisputeIds(context.db, after, BATCH_SIZE)
    for (const id of due) {
      if (signal?.aborted) return settled
      try {
        if (await settleDispute(context, id)) settled++
      } catch (error) {
        context.log.error({ error: describeError(error), dispute: id }, 'a dispute could not be settled; it is retried')
      }
    }
    if (due.length < BATCH_SIZE) return settled
    after = due.at(-1) ?? null
  }
}

/** Settles one dispute. Returns false when another process was faster, or the documents have just been received. */
async function settleDispute(context: DecisionContext, disputeId: string): Promise<boolean> {
  const { db, keyring } = context
  const notifiedUserIds = await inTransaction(db, async (tx) => {
    const challengerId = await findChallengerVehicleId(tx, disputeId)
    const vehicle = challengerId && (await lockVehicle(tx, challengerId))
    const dispute = await lockDispute(tx, disputeId)
    if (!vehicle || !dispute?.is_due || !from.some((state) => state === getDisputeState(dispute))) return null
    // about the vehicle, whose owner reads that nobody decided it
    const decisionId = await recordPlateAction(tx, keyring, vehicle, { actor: null, action: audit })
    const locale = await getOwnerLocale(tx, vehicle.id)
    const reason = m.mail_vehicle_overdue({ day: formatDueDate(dispute.documents_due_at, locale) }, { locale })
    return rejectLockedVehicle(tx, keyring, vehicle, { decisionId, reason, effect: itself })
  })
  if (!notifiedUserIds) return false
  announceDecision(context, notifiedUserIds)
  return true
}

/** Settles overdue disputes now and every minute, until stopped. */
export const startOverdueJob = (context: OverdueJobContext): BackgroundJob =>
  startIntervalJob(context, 'settling overdue disputes', MINUTE_MS, (stopping) =>
    settleOverdueDisputes(context, stopping),
  )
