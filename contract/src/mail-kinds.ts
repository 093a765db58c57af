import { m } from '#texts/messages.js'
import type { Locale } from './product.ts'

/** Every kind of email, with its name for admins. `server/src/mail-renderers.ts` says who writes which. */
export const MAIL_KINDS = {
  auth_link: m.mail_kind_auth_link,
  password_changed: m.mail_kind_password_changed,
  sign_in_failures: m.mail_kind_sign_in_failures,
  session_stolen: m.mail_kind_session_stolen,
  factor_changed: m.mail_kind_factor_changed,
  new_sign_in: m.mail_kind_new_sign_in,
  message: m.mail_kind_message,
  nudge: m.mail_kind_nudge,
  reply: m.mail_kind_reply,
  dispute_challenger: m.mail_kind_dispute_challenger,
  dispute_incumbent: m.mail_kind_dispute_incumbent,
  dispute_verified_owner: m.mail_kind_dispute_verified_owner,
  dispute_live_owner: m.mail_kind_dispute_live_owner,
  dispute_settled: m.mail_kind_dispute_settled,
  vehicle_approved: m.mail_kind_vehicle_approved,
  vehicle_rejected: m.mail_kind_vehicle_rejected,
  vehicle_deleted: m.mail_kind_vehicle_deleted,
  driver_joined: m.mail_kind_driver_joined,
  sanction: m.mail_kind_sanction,
  sanction_lifted: m.mail_kind_sanction_lifted,
  appeal_decided: m.mail_kind_appeal_decided,
  witness_asked: m.mail_kind_witness_asked,
  witness_answered: m.mail_kind_witness_answered,
  email_change_current: m.mail_kind_email_change_current,
  email_change_new: m.mail_kind_email_change_new,
  email_changed: m.mail_kind_email_changed,
  contact: m.mail_kind_contact,
}

/** Names a kind of email. A newer server may have kinds that a page does not know. */
export const mailKindName = (kind: string, locale: Locale): string =>
  Object.hasOwn(MAIL_KINDS, kind) ? MAIL_KINDS[kind as keyof typeof MAIL_KINDS]({}, { locale }) : kind
