import type { ContactForm } from '#contract/contact.ts'
import type { Locale } from '#contract/product.ts'
import type { AppContext } from '../context.ts'
import { newId } from '../db/ids.ts'
import { inTransaction } from '../db/transaction.ts'
import { queueMailWithoutAccount } from '../email/outbox.ts'
import {
  type AssociatedData,
  decryptText,
  encryptText,
  type Keyring,
  keyedHash,
} from '../encryption/envelope-encryption.ts'
import { ceilingCount, consumeCounts, networkCounts } from '../limits/enforce-limit.ts'
import { networkLimitKey, rememberOnce } from '../limits/rate-limiter.ts'
import { refuse } from '../refusal.ts'
import { insertSubmission, type SubmissionRow } from './queries.ts'

/** Returns the associated data of a field of a submission. */
const submissionAssociatedData = (column: 'name' | 'email' | 'message', id: string): AssociatedData => ({
  table: 'contact_submissions',
  column,
  id,
})

/** Encrypts who wrote and what (decision encryption-at-rest). */
const encryptSubmission = (keyring: Keyring, id: string, { name, email, message }: ContactForm) => ({
  name_encrypted: encryptText(keyring, submissionAssociatedData('name', id), name),
  email_encrypted: encryptText(keyring, submissionAssociatedData('email', id), email),
  message_encrypted: encryptText(keyring, submissionAssociatedData('message', id), message),
})

/**
 * Decrypts a submission. Throws a `DecryptionError`: an email without one of the fields is better retried than sent.
 */
export const decryptSubmission = (keyring: Keyring, row: SubmissionRow): ContactForm => ({
  name: decryptText(keyring, submissionAssociatedData('name', row.id), row.name_encrypted),
  email: decryptText(keyring, submissionAssociatedData('email', row.id), row.email_encrypted),
  subject: row.subject,
  message: decryptText(keyring, submissionAssociatedData('message', row.id), row.message_encrypted),
})

/** Within this time the same text of the same writer is a duplicate, not another message. */
const REPEAT_WINDOW = '10 minutes'

/** Where a submission came from: the caller's IP address, and the language of the page. */
type SubmissionSource = { ip: string; locale: Locale }

/**
 * Stores what somebody wrote on the contact page (requirements §5) and queues its email; both or neither. The same
 * again within ten minutes (a second click, a lost response) succeeds like the first, but is no second message. Refuses
 * with `too_many_requests` over the limits of the networks or of the whole installation (decision rate-limits).
 *
 * @param form parsed
 */
export async function submitContact(
  context: AppContext,
  form: ContactForm,
  { ip, locale }: SubmissionSource,
): Promise<void> {
  const { config, db, keyring, log, outbox } = context
  const id = newId()
  const row = { id, ...encryptSubmission(keyring, id, form), subject: form.subject, locale }
  await inTransaction(db, async (tx) => {
    if (!(await rememberOnce(tx, computeRepeatKey(keyring, form), REPEAT_WINDOW))) return
    // counted only now, so that a duplicate neither counts nor is refused; in the transaction, so that a failure does not count
    const { allowed, retryAfterS } = await consumeCounts(tx, log, [
      ...networkCounts(config, 'contactMessages', ip, (network) => networkLimitKey(keyring, 'contact', network)),
      ceilingCount(config, 'allContactMessages'),
    ])
    if (!allowed) refuse('too_many_requests', { limit: 'contact', retryAfterS })
    await insertSubmission(tx, row)
    await queueMailWithoutAccount(tx, 'contact', id)
  })
  outbox.wake()
}

/** Hashes what makes a duplicate. Leaves out network and language: a retry may come from another page or network. */
const computeRepeatKey = (keyring: Keyring, { name, email, subject, message }: ContactForm): string =>
  `contact-repeat:${keyedHash(keyring, 'contact', JSON.stringify([name, email, subject, message])).toString('base64url')}`
