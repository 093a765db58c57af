import { Province } from '#contract/fields.ts'
import { paths } from '#contract/paths.ts'
import { m } from '#texts/messages.js'
import { type RenderMail, writeMail } from '../email/mail-content.ts'
import { findOwnVehicle } from './queries.ts'
import { decryptRejectReason } from './reject-vehicle.ts'

/** What an email about a vehicle says of it; other software names no province and no vehicle. */
type MailedVehicle = { plate: string; province?: Province; id?: string }

const seeVehicles = (id?: string) => ({ button: m.vehicles_see_mine, to: paths.vehicles(id) })

/** Writes that a plate is verified. */
export const approvedMail = ({ plate, province, id, paused }: MailedVehicle & { paused?: boolean }) =>
  writeMail(
    { plate },
    {
      subject: m.mail_vehicle_approved_subject,
      preheader: m.mail_vehicle_approved_preheader,
      heading: m.mail_vehicle_approved_heading,
      blocks: [
        { plate, province },
        m.mail_vehicle_approved_text,
        seeVehicles(id),
        { note: m.mail_vehicle_approved_note },
        paused === true && m.mail_vehicle_paused,
      ],
      reason: m.mail_vehicle_reason,
    },
  )

/**
 * Writes that, and why, a registration was rejected. One that no person decided says so, and how one looks again: Act respecting the
 * protection of personal information in the private sector, CQLR c. P-39.1, s. 12.1.
 */
export const rejectedMail = ({ plate, province, id }: MailedVehicle, reason: string, automatic = false) =>
  writeMail(
    { plate },
    {
      subject: m.mail_vehicle_rejected_subject,
      preheader: m.mail_vehicle_rejected_preheader,
      heading: m.mail_vehicle_rejected_heading,
      blocks: [
        { plate, province },
        m.mail_vehicle_rejected_text,
        { quote: reason },
        automatic && m.mail_vehicle_rejected_automatic,
        m.mail_vehicle_rejected_next,
        seeVehicles(id),
      ],
      reason: m.mail_vehicle_reason,
    },
  )

/** Writes that a registration was removed for another one. */
export const deletedMail = ({ plate, province }: MailedVehicle) =>
  writeMail(
    { plate },
    {
      subject: m.mail_vehicle_deleted_subject,
      preheader: m.mail_vehicle_deleted_preheader,
      heading: m.mail_vehicle_deleted_heading,
      blocks: [{ plate, province }, m.mail_vehicle_deleted_text, m.mail_vehicle_deleted_next, seeVehicles()],
      reason: m.mail_vehicle_deleted_reason,
    },
  )

/**
 * Renders the mail kind `vehicle_approved` (requirements §7); its ref is the decision. Dropped when no longer verified.
 */
export const renderVehicleApproved: RenderMail = async ({ db }, { recipientId, data }) => {
  const vehicle = await findOwnVehicle(db, data['vehicle_id'], recipientId)
  return vehicle?.status === 'verified' ? approvedMail(vehicle) : null
}

/**
 * Renders the mail kind `vehicle_rejected` (requirements §7); its ref is the decision. Dropped when no longer rejected.
 */
export const renderVehicleRejected: RenderMail = async ({ db, config, keyring }, { recipientId, data }) => {
  const vehicle = await findOwnVehicle(db, data['vehicle_id'], recipientId)
  if (!vehicle?.reject_reason_encrypted) return null
  const automatic = data['decided_by'] === 'clock'
  const reason = decryptRejectReason(keyring, vehicle.id, vehicle.reject_reason_encrypted)
  const content = rejectedMail(vehicle, reason, automatic)
  // a reply to the email reaches a human
  return automatic ? { ...content, replyTo: config.SUPPORT_EMAIL } : content
}

/**
 * Renders the mail kind `vehicle_deleted` (requirements §7), to a peer of an approved vehicle; its ref is the approval.
 */
export const renderVehicleDeleted: RenderMail = async (_, { data: { plate = '', province } }) =>
  deletedMail({ plate, province: Province.parse(province) })
