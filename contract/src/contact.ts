import * as z from 'zod/mini'
import { asciiEmail, trimEmail } from './addresses.ts'
import { CONTACT_SUBJECTS } from './contact-subjects.ts'
import { EmptyObject, endpoint } from './endpoint.ts'
import { checkEmail, checkText, trimmedText } from './fields.ts'
import { hasVisibleCharacter } from './visible-text.ts'

/** Maximum lengths: of name and message in characters, of the address in bytes (RFC 5321 §4.5.3.1.3 without its brackets). */
export const CONTACT_NAME_MAX = 100
export const CONTACT_EMAIL_MAX_BYTES = 254
export const CONTACT_MESSAGE_MAX = 5_000

/** The contact form, whose fields are all required (requirements §5). */
export const ContactForm = z.object({
  // shown in one line of an email
  name: trimmedText(CONTACT_NAME_MAX, 'name_missing').check(
    z.refine((s) => !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(s), 'unsendable'),
  ),
  email: z.string('email_invalid').check(
    z.overwrite((typed) => asciiEmail(trimEmail(typed))),
    ...checkEmail('email_invalid'),
    z.maxLength(CONTACT_EMAIL_MAX_BYTES, 'email_invalid'),
  ),
  subject: z.enum(CONTACT_SUBJECTS, 'subject_missing'),
  message: z.string('message_missing').check(
    // a form posted without scripts ends each line with CRLF
    z.overwrite((s) => s.replace(/\r\n?/g, '\n')),
    z.trim(),
    z.refine(hasVisibleCharacter, 'message_missing'),
    ...checkText(CONTACT_MESSAGE_MAX),
  ),
})
export type ContactForm = z.infer<typeof ContactForm>

/** The form as it is sent. The `to` of older clients is ignored: the mail goes to the support address (decision contact-form). */
export const ContactEmail = z.extend(ContactForm, { type: z.literal('contact') })

export const sendEmail = endpoint({
  method: 'POST',
  path: '/send-email',
  audience: 'public',
  summary: 'Writes to the support team.',
  input: ContactEmail,
  output: EmptyObject,
})
