import { renderAuthLink } from './auth/mail.ts'
import { renderDisputeChallenger, renderDisputeIncumbent, renderDisputeVerifiedOwner } from './disputes/emails.ts'
import type { MailKind } from './email/outbox.ts'
import type { RenderMail } from './email/render.ts'
import { renderMessageMail, renderReplyMail } from './messages/emails.ts'

/** Which feature writes which mail. */
export const RENDERERS: Record<MailKind, RenderMail> = {
  auth_link: renderAuthLink,
  message: renderMessageMail,
  reply: renderReplyMail,
  dispute_challenger: renderDisputeChallenger,
  dispute_incumbent: renderDisputeIncumbent,
  dispute_verified_owner: renderDisputeVerifiedOwner,
}
