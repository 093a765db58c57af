import type { ContactForm } from '#contract/contact.ts'
import type { Locale } from '#contract/product.ts'
import type { AppContext } from '../context.ts'
import { newId } from '../db/ids.ts'
import { inTransaction } from '../db/transaction.ts'
import { queueSupportMail } from '../email/outbox.ts'
import { type Keyring, keyedHash } from '../encryption/envelope-encryption.ts'
import { enforceLimit } from '../limits/enforce-limit.ts'
import { networkLimitKey } from '../limits/rate-limiter.ts'
import { insertSubmission } from './queries.ts'
import { encryptSubmission } from './submission-encryption.ts'

/** Where a submission came from: the caller's IP address, and the language of the page. */
export type SubmissionSource = { ip: string; locale: Locale }

/**
 * Stores what somebody wrote on the contact page (requirements §5) and queues its email; both or neither. The same
 * again within ten minutes (a second click, a lost response) succeeds like the first, but is no second message. Refuses
 * with `too_many_requests` over the limit of the network (decision 0071).
 *
 * @param form parsed
 */
export async function submitContact(
  context: AppContext,
  form: ContactForm,
  { ip, locale }: SubmissionSource,
): Promise<void> {
  const { config, db, keyring, outbox } = context
  const id = newId()
  const row = { id, ...encryptSubmission(keyring, id, form), subject: form.subject, locale }
  await inTransaction(db, async (tx) => {
    if (!(await insertSubmission(tx, row, computeRepeatHash(keyring, form)))) return
    // counted after the insert, so that a duplicate neither counts nor is refused; in its transaction, so that a
    // failure does not count
    await enforceLimit(tx, config, 'contactMessages', networkLimitKey(keyring, 'contact', ip), 'contact')
    await queueSupportMail(tx, 'contact', id)
  })
  outbox.wake()
}

/** Hashes what makes a duplicate. Leaves out network and language: a retry may come from another page or network. */
const computeRepeatHash = (keyring: Keyring, { name, email, subject, message }: ContactForm): Buffer =>
  keyedHash(keyring, 'contact', JSON.stringify([name, email, subject, message]))
