import { renderAuthLink } from './auth/link-mail.ts'
import { renderPasswordChanged } from './auth/password-changed-mail.ts'
import { renderContact } from './contact/emails.ts'
import {
  renderDisputeChallenger,
  renderDisputeIncumbent,
  renderDisputeSettled,
  renderDisputeVerifiedOwner,
} from './disputes/emails.ts'
import type { MailRenderers } from './email/mail-content.ts'
import { renderMessageMail, renderReplyMail } from './messages/emails.ts'
import { renderVehicleApproved, renderVehicleDeleted, renderVehicleRejected } from './vehicles/emails.ts'

/** Maps each kind of email to the feature that writes it. */
export const MAIL_RENDERERS: MailRenderers = {
  auth_link: renderAuthLink,
  password_changed: renderPasswordChanged,
  message: renderMessageMail,
  reply: renderReplyMail,
  dispute_challenger: renderDisputeChallenger,
  dispute_incumbent: renderDisputeIncumbent,
  dispute_verified_owner: renderDisputeVerifiedOwner,
  dispute_settled: renderDisputeSettled,
  vehicle_approved: renderVehicleApproved,
  vehicle_rejected: renderVehicleRejected,
  vehicle_deleted: renderVehicleDeleted,
  contact: renderContact,
}
