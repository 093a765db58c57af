import type { ContactForm } from '#contract/contact.ts'
import { type AssociatedData, decryptText, encryptText, type Keyring } from '../encryption/envelope-encryption.ts'
import type { SubmissionRow } from './queries.ts'

/** Returns the associated data of a field of a submission. */
const submissionAssociatedData = (column: 'name' | 'email' | 'message', id: string): AssociatedData => ({
  table: 'contact_submissions',
  column,
  id,
})

/** Encrypts who wrote and what (decision encryption-at-rest). */
export const encryptSubmission = (keyring: Keyring, id: string, { name, email, message }: ContactForm) => ({
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
