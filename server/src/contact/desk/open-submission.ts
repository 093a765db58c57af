import type { OpenedContact } from '#contract/contact-desk.ts'
import type { Locale } from '#contract/product.ts'
import { type AuditActor, recordAction } from '../../audit/record-action.ts'
import type { AppContext } from '../../context.ts'
import { inTransaction } from '../../db/transaction.ts'
import { type DecryptContext, decryptForDisplay } from '../../encryption/decrypt-for-display.ts'
import { refuse } from '../../refusal.ts'
import { findSubmission } from '../queries.ts'
import { submissionAssociatedData } from '../submission-encryption.ts'
import { answerAssociatedData } from './answer-encryption.ts'
import { findContactItem, listAnswers } from './queries.ts'

/** Shown in place of a stored text that was damaged or moved. */
const UNREADABLE: Record<Locale, string> = {
  en: 'This text cannot be shown.',
  'fr-CA': 'Ce texte ne peut pas être affiché.',
}

/**
 * Returns a submission with its text, for an admin who says what for: that is recorded first (decision 0087). Refuses with
 * `not_found`.
 */
export const openSubmission = (
  { db, keyring }: Pick<AppContext, 'db' | 'keyring'>,
  decryptContext: DecryptContext,
  admin: NonNullable<AuditActor>,
  { id, purpose }: { id: string; purpose: string },
): Promise<OpenedContact> =>
  inTransaction(db, async (tx) => {
    const [item, row] = [await findContactItem(tx, id), await findSubmission(tx, id)]
    if (!item || !row) refuse('not_found')
    await recordAction(tx, keyring, {
      actor: admin,
      action: 'contact_opened',
      subject: item.subject,
      subjectId: id,
      reason: purpose,
    })
    const decrypt = (column: 'name' | 'email' | 'message', value: Buffer) =>
      decryptForDisplay(decryptContext, submissionAssociatedData(column, id), value, UNREADABLE)
    const answers = await listAnswers(tx, id)
    return {
      ...item,
      name: decrypt('name', row.name_encrypted),
      email: decrypt('email', row.email_encrypted),
      message: decrypt('message', row.message_encrypted),
      answers: answers.map(({ text_encrypted, ...answer }) => ({
        ...answer,
        text: decryptForDisplay(decryptContext, answerAssociatedData(answer.id), text_encrypted, UNREADABLE),
      })),
    }
  })
