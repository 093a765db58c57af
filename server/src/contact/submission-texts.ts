import type { ContactForm } from '#contract/contact.ts'
import { type Keyring, openText, type Place, sealText } from '../sealing/seal.ts'
import type { SubmissionRow } from './queries.ts'

const place = (column: 'name' | 'email' | 'message', id: string): Place => ({
  table: 'contact_submissions',
  column,
  id,
})

/** Seals who wrote and what (design decision 13). */
export const sealSubmission = (keyring: Keyring, id: string, { name, email, message }: ContactForm) => ({
  name_sealed: sealText(keyring, place('name', id), name),
  email_sealed: sealText(keyring, place('email', id), email),
  message_sealed: sealText(keyring, place('message', id), message),
})

/** Throws an UnsealError: a mail that lacks one of them is better tried again than sent. */
export const openSubmission = (keyring: Keyring, row: SubmissionRow): ContactForm => ({
  name: openText(keyring, place('name', row.id), row.name_sealed),
  email: openText(keyring, place('email', row.id), row.email_sealed),
  subject: row.subject,
  message: openText(keyring, place('message', row.id), row.message_sealed),
})
