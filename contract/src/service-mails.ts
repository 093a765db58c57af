import * as z from 'zod/mini'
import { asciiEmail } from './addresses.ts'
import { REJECT_REASON_MAX } from './admin.ts'
import { ContactEmail, sendEmail } from './contact.ts'
import { EmptyObject, endpoint } from './endpoint.ts'
import { checkEmail, PlateInput, trimmedText } from './fields.ts'
import { MESSAGE_MAX } from './messages.ts'

// apart from contact.ts, because the page with the form needs none of this

const LINK_MAX = 2_000

const plateFields = {
  to: z.string('mail_to').check(z.trim(), z.overwrite(asciiEmail), ...checkEmail('mail_to')),
  plate: PlateInput,
}
const messageFields = {
  ...plateFields,
  message: trimmedText(MESSAGE_MAX, 'mail_message'),
  /** On our own origin, which only the server knows. */
  link: z.string('mail_link').check(
    z.maxLength(LINK_MAX, 'mail_link'),
    z.refine((s) => URL.canParse(s), 'mail_link'),
  ),
}
/** The types other than `contact`, for callers with the service key (requirements §7, decision contact-form). */
export const SERVICE_MAIL_TYPES = [
  'message',
  'reply',
  'vehicle-approved',
  'vehicle-rejected',
  'vehicle-deleted',
] as const
const SERVICE_MAILS = [
  z.object({ type: z.literal('message'), ...messageFields }),
  z.object({ type: z.literal('reply'), ...messageFields }),
  z.object({ type: z.literal('vehicle-approved'), ...plateFields }),
  z.object({
    type: z.literal('vehicle-rejected'),
    ...plateFields,
    reason: trimmedText(REJECT_REASON_MAX, 'reason_missing'),
  }),
  z.object({ type: z.literal('vehicle-deleted'), ...plateFields }),
] as const

/** An email that our other software may request (requirements §7). */
export type ServiceMail = z.output<(typeof SERVICE_MAILS)[number]>

/** Everything `POST /send-email` accepts: type `contact` from everybody, the others with the service key (decision contact-form). */
export const sendAnyEmail = endpoint({
  method: sendEmail.method,
  path: sendEmail.path,
  audience: sendEmail.audience,
  summary:
    'Writes to the support team (type contact). The other types need the service key: they mail the owner of a plate.',
  input: z.discriminatedUnion('type', [ContactEmail, ...SERVICE_MAILS], 'mail_type'),
  output: EmptyObject,
})
