import { renderNotice } from './auth/account-notices.ts'
import { renderEmailChangeCurrent, renderEmailChanged, renderEmailChangeNew } from './auth/email-change-mails.ts'
import { renderAuthLink } from './auth/link-mail.ts'
import { renderContact } from './contact/emails.ts'
import {
  renderDisputeChallenger,
  renderDisputeIncumbent,
  renderDisputeLiveOwner,
  renderDisputeSettled,
  renderDisputeVerifiedOwner,
} from './disputes/emails.ts'
import type { MailRenderers } from './email/mail-content.ts'
import { renderMessageMail, renderNudgeMail, renderReplyMail } from './messages/emails.ts'
import { renderWitnessAnswered, renderWitnessAsked } from './messages/witness-mails.ts'
import { renderAppealDecided, renderSanction, renderSanctionLifted } from './sanctions/emails.ts'
import { renderDriverJoined } from './vehicle-people/driver-joined-mail.ts'
import { renderVehicleApproved, renderVehicleDeleted, renderVehicleRejected } from './vehicles/emails.ts'

/** Maps each kind of email to the feature that writes it. */
export const MAIL_RENDERERS: MailRenderers = {
  auth_link: renderAuthLink,
  password_changed: renderNotice,
  email_change_current: renderEmailChangeCurrent,
  email_change_new: renderEmailChangeNew,
  email_changed: renderEmailChanged,
  sign_in_failures: renderNotice,
  session_stolen: renderNotice,
  factor_changed: renderNotice,
  new_sign_in: renderNotice,
  message: renderMessageMail,
  nudge: renderNudgeMail,
  reply: renderReplyMail,
  dispute_challenger: renderDisputeChallenger,
  dispute_incumbent: renderDisputeIncumbent,
  dispute_verified_owner: renderDisputeVerifiedOwner,
  dispute_live_owner: renderDisputeLiveOwner,
  dispute_settled: renderDisputeSettled,
  vehicle_approved: renderVehicleApproved,
  vehicle_rejected: renderVehicleRejected,
  vehicle_deleted: renderVehicleDeleted,
  driver_joined: renderDriverJoined,
  sanction: renderSanction,
  sanction_lifted: renderSanctionLifted,
  appeal_decided: renderAppealDecided,
  witness_asked: renderWitnessAsked,
  witness_answered: renderWitnessAnswered,
  contact: renderContact,
}
