import { type AuditActor, recordPlateAction } from '../audit/record-action.ts'
import type { AppContext } from '../context.ts'
import { inTransaction } from '../db/transaction.ts'
import { hasDocumentsHere, lockDispute, setDocumentsReceived } from '../disputes/queries.ts'
import { getDisputeState } from '../disputes/state-machine.ts'
import { refuse } from '../refusal.ts'
import { peopleOfPlate, refuseOwnCase } from '../subjects/own-case.ts'

/**
 * Marks a challenger's documents as received or not received, for an admin (decision plate-disputes). While they are received the
 * challenge waits for an admin and not for its due date; unmarked after that date, it ends within a minute. Marking the
 * current state again changes nothing. Refuses with `not_found`, `own_case`, and with `documents_are_here` to unmark what was uploaded.
 */
export const markDocuments = (
  { db, keyring }: Pick<AppContext, 'db' | 'keyring'>,
  admin: NonNullable<AuditActor>,
  disputeId: string,
  received: boolean,
): Promise<void> =>
  inTransaction(db, async (tx) => {
    const dispute = (await lockDispute(tx, disputeId)) ?? refuse('not_found')
    await refuseOwnCase(tx, admin, peopleOfPlate(tx, dispute))
    if (received === (getDisputeState(dispute) === 'documents_received')) return
    if (!received && (await hasDocumentsHere(tx, dispute.challenger_vehicle_id))) refuse('documents_are_here')
    await setDocumentsReceived(tx, dispute.id, received ? 'admin' : null)
    const action = received ? 'documents_received' : 'documents_not_received'
    await recordPlateAction(tx, keyring, dispute, { actor: admin, action })
  })
