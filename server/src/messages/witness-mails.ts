import { paths } from '#contract/paths.ts'
import { m } from '#texts/messages.js'
import { witnessFor } from '../collisions/details.ts'
import { findCollision } from '../collisions/queries.ts'
import { type RenderMail, writeMail } from '../email/mail-content.ts'
import { decryptContent } from './message-encryption.ts'

/** What the owner reads of the answer. The contact itself is never in an email. */
const ANSWERS = {
  released: {
    subject: m.mail_witness_released_subject,
    heading: m.mail_witness_released_heading,
    text: m.mail_witness_released_text,
  },
  declined: {
    subject: m.mail_witness_declined_subject,
    heading: m.mail_witness_declined_heading,
    text: m.mail_witness_declined_text,
  },
  withdrawn: {
    subject: m.mail_witness_withdrawn_subject,
    heading: m.mail_witness_withdrawn_heading,
    text: m.mail_witness_declined_text,
  },
}

/** Writes 'The owner asks' to the witness. Drops the email when the message is gone, or the witness has answered already. */
export const renderWitnessAsked: RenderMail = async ({ db, keyring, log }, { refId, recipientId, locale }) => {
  const row = await findCollision(db, refId, recipientId)
  if (row?.view !== 'sent') return null
  const ref = { id: refId, vehicleId: row.addressed_to }
  const { collision } = decryptContent({ keyring, log, locale }, ref, row)
  if (collision?.witness !== 'asked') return null
  const { plate } = row
  return writeMail(
    { plate },
    {
      subject: m.notification_witness_asked,
      preheader: m.mail_witness_asked_preheader,
      heading: m.mail_witness_asked_heading,
      blocks: [
        { plate },
        m.mail_witness_asked_text,
        m.mail_witness_asked_anonymous,
        { button: m.mail_witness_asked_button, to: paths.messages('sent', refId) },
      ],
      reason: m.mail_witness_asked_reason,
    },
  )
}

/** Writes the answer of the witness to the owner. Drops the email when the message is gone. */
export const renderWitnessAnswered: RenderMail = async ({ db, keyring, log }, { refId, recipientId, locale }) => {
  const row = await findCollision(db, refId, recipientId)
  if (row?.view !== 'received') return null
  const ref = { id: refId, vehicleId: row.addressed_to }
  const { collision } = decryptContent({ keyring, log, locale }, ref, row)
  const witness = collision && witnessFor('received', collision)
  if (witness !== 'released' && witness !== 'declined' && witness !== 'withdrawn') return null
  const { plate } = row
  const { text, ...shown } = ANSWERS[witness]
  return writeMail(
    { plate },
    {
      ...shown,
      preheader: text,
      blocks: [{ plate }, text, { button: m.mail_witness_button, to: paths.messages('received', refId) }],
      reason: m.mail_witness_reason,
    },
  )
}
