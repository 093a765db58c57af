import { paths } from '#contract/paths.ts'
import { m } from '#texts/messages.js'
import { type RenderMail, writeMail } from '../email/mail-content.ts'
import { findJoined } from './queries.ts'

/**
 * Writes to the people of a vehicle that somebody joined it (decision vehicle-people). Drops the email when the driver has left, or its
 * recipient has.
 */
export const renderDriverJoined: RenderMail = async ({ db }, { refId, recipientId }) => {
  const joined = await findJoined(db, refId, recipientId)
  if (!joined) return null
  return writeMail(
    { plate: joined.plate },
    {
      subject: m.mail_driver_joined_subject,
      preheader: m.mail_driver_joined_preheader,
      heading: m.mail_driver_joined_heading,
      blocks: [
        m.mail_driver_joined_text,
        m.mail_driver_joined_reads,
        m.mail_driver_joined_unknown,
        { button: m.mail_driver_joined_button, to: paths.vehicles(joined.vehicle_id) },
      ],
      reason: m.mail_driver_joined_reason,
    },
  )
}
