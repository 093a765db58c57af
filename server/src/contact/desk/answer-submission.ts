import type { ContactItem, DeskState } from '#contract/contact-desk.ts'
import { type AuditActor, recordActionWithoutReason } from '../../audit/record-action.ts'
import type { AppContext } from '../../context.ts'
import { newId } from '../../db/ids.ts'
import { inTransaction } from '../../db/transaction.ts'
import { queueMailWithoutAccount } from '../../email/outbox.ts'
import { encryptText, keyedHash } from '../../encryption/envelope-encryption.ts'
import { refuse } from '../../refusal.ts'
import { answerAssociatedData } from './answer-encryption.ts'
import { findContactItem, insertAnswer, lockSubmission, setState } from './queries.ts'

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
export const closeSubmission = (context: Pick<DeskContext, 'db'>, admin: NonNullable<AuditActor>, id: string) =>
  changeState(context, admin, { id, to: 'closed' })

/** Opens a closed submission again; one that is open stays so. Refuses with `not_found`. */
export const reopenSubmission = (context: Pick<DeskContext, 'db'>, admin: NonNullable<AuditActor>, id: string) =>
  changeState(context, admin, { id, to: 'open' })

const STATE_ACTIONS = { closed: 'contact_closed', open: 'contact_reopened' } as const

async function changeState(
  { db }: Pick<DeskContext, 'db'>,
  admin: NonNullable<AuditActor>,
  { id, to }: { id: string; to: DeskState },
): Promise<ContactItem> {
  const item = await inTransaction(db, async (tx) => {
    const { state, subject } = (await lockSubmission(tx, id)) ?? refuse('not_found')
    if (state !== to) {
      await setState(tx, id, to)
      await recordActionWithoutReason(tx, { actor: admin, action: STATE_ACTIONS[to], subject, subjectId: id })
    }
    return findContactItem(tx, id)
  })
  return item ?? refuse('not_found')
}
