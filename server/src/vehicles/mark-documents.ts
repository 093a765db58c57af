import { type AuditActor, plateSubject, recordAction } from '../audit/record-action.ts'
import { inTransaction } from '../db/transaction.ts'
import { stateOf } from '../disputes/machine.ts'
import { lockDispute, setDocumentsReceived } from '../disputes/queries.ts'
import type { Parts } from '../parts.ts'
import { refuse } from '../refusal.ts'

/**
 * An admin notes that a challenger's documents came, or takes the note back (design decision 4). While they are noted
 * the challenge waits for an admin and not for its date; taken back after that date, it ends within a minute. Noting
 * what is noted changes nothing. Refuses with `not_found`.
 */
export const markDocuments = (
  { db, keyring }: Pick<Parts, 'db' | 'keyring'>,
  admin: NonNullable<AuditActor>,
  disputeId: string,
  received: boolean,
): Promise<void> =>
  inTransaction(db, async (tx) => {
    const dispute = (await lockDispute(tx, disputeId)) ?? refuse('not_found')
    if (received === (stateOf(dispute) === 'documents_received')) return
    await setDocumentsReceived(tx, dispute.id, received)
    const action = received ? 'documents_received' : 'documents_not_received'
    await recordAction(tx, keyring, { actor: admin, action, subject: plateSubject(dispute), subjectId: dispute.id })
  })
