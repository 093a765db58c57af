import type { ContactItem } from '#contract/contact-desk.ts'
import { type AuditActor, recordActionWithoutReason } from '../../audit/record-action.ts'
import type { AppContext } from '../../context.ts'
import { newId } from '../../db/ids.ts'
import { inTransaction } from '../../db/transaction.ts'
import { queueMailWithoutAccount } from '../../email/outbox.ts'
import { encryptText, keyedHash } from '../../encryption/envelope-encryption.ts'
import { refuse } from '../../refusal.ts'
import { answerAssociatedData } from './answer-encryption.ts'
import { findContactItem, insertAnswer, lockSubmission, setClosed } from './queries.ts'

type DeskContext = Pick<AppContext, 'db' | 'keyring' | 'outbox'>

/**
 * Stores an admin's answer and queues its email: both or neither. The same text again is the same answer. Refuses with
 * `not_found`, `submission_closed`.
 */
export async function answerSubmission(
  { db, keyring, outbox }: DeskContext,
  admin: NonNullable<AuditActor>,
  { id, text }: { id: string; text: string },
): Promise<ContactItem> {
  const answerId = newId()
  const item = await inTransaction(db, async (tx) => {
    const { state, subject } = (await lockSubmission(tx, id)) ?? refuse('not_found')
    const answer = {
      id: answerId,
      submissionId: id,
      textEncrypted: encryptText(keyring, answerAssociatedData(answerId), text),
      textHash: keyedHash(keyring, 'contact-answer', text),
    }
    if (state === 'closed') refuse('submission_closed')
    if (await insertAnswer(tx, answer)) {
      await recordActionWithoutReason(tx, { actor: admin, action: 'contact_answered', subject, subjectId: id })
      await queueMailWithoutAccount(tx, 'contact_answer', answerId)
    }
    return findContactItem(tx, id)
  })
  outbox.wake()
  return item ?? refuse('not_found')
}

/** Closes a submission; one that is closed stays so. Refuses with `not_found`. */
export async function closeSubmission(
  { db }: Pick<DeskContext, 'db'>,
  admin: NonNullable<AuditActor>,
  id: string,
): Promise<ContactItem> {
  const item = await inTransaction(db, async (tx) => {
    const { state, subject } = (await lockSubmission(tx, id)) ?? refuse('not_found')
    if (state === 'open') {
      await setClosed(tx, id)
      await recordActionWithoutReason(tx, { actor: admin, action: 'contact_closed', subject, subjectId: id })
    }
    return findContactItem(tx, id)
  })
  return item ?? refuse('not_found')
}
