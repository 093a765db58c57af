import * as z from 'zod/mini'
import { asciiEmail } from './addresses.ts'
import { REJECT_REASON_MAX } from './admin.ts'
import { ContactEmail, sendEmail } from './contact.ts'
import { EmptyObject, endpoint } from './endpoint.ts'
import { checkEmail, PlateInput, trimmedText } from './fields.ts'
import { MESSAGE_MAX } from './messages.ts'

// apart from contact.ts, because the page with the form needs none of this

const LINK_MAX = 2_000
const ADDRESS_TEXT = 'Please give a valid email address.'
const LINK_TEXT = 'Please give a link to a page of this site.'

const plateFields = {
  to: z.string(ADDRESS_TEXT).check(z.trim(), z.overwrite(asciiEmail), ...checkEmail(ADDRESS_TEXT)),
  plate: PlateInput,
}
const messageFields = {
  ...plateFields,
  message: trimmedText(MESSAGE_MAX, 'Please give the message.'),
  /** On our own origin, which only the server knows. */
  link: z.string(LINK_TEXT).check(
    z.maxLength(LINK_MAX, LINK_TEXT),
    z.refine((s) => URL.canParse(s), LINK_TEXT),
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
    reason: trimmedText(REJECT_REASON_MAX, 'Please give a reason.'),
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
  input: z.discriminatedUnion(
    'type',
    [ContactEmail, ...SERVICE_MAILS],
    `Unknown type. There are: contact, ${SERVICE_MAIL_TYPES.join(', ')}.`,
  ),
  output: EmptyObject,
})
