import * as z from 'zod/mini'
import { asciiEmail, trimEmail, UNWRITABLE_EMAIL_TEXT } from './addresses.ts'
import { CONTACT_SUBJECTS } from './contact-subjects.ts'
import { EmptyObject, endpoint } from './endpoint.ts'
import { checkEmail, hasAtMostCharacters, isSendable, UNSENDABLE_TEXT } from './fields.ts'
import type { Locale } from './product.ts'
import { hasVisibleCharacter } from './visible-text.ts'

/** Maximum lengths: of name and message in characters, of the address in bytes (RFC 5321 §4.5.3.1.3 without its brackets). */
export const CONTACT_NAME_MAX = 100
export const CONTACT_EMAIL_MAX_BYTES = 254
export const CONTACT_MESSAGE_MAX = 5_000

/** The errors the form shows beside its fields. */
const VALIDATION_TEXTS = {
  name: { en: 'Please enter your name.', 'fr-CA': 'Veuillez entrer votre nom.' },
  name_long: { en: `At most ${CONTACT_NAME_MAX} characters.`, 'fr-CA': `Au plus ${CONTACT_NAME_MAX} caractères.` },
  email: { en: 'Please enter a valid email address.', 'fr-CA': 'Veuillez entrer une adresse courriel valide.' },
  email_unwritable: {
    en: UNWRITABLE_EMAIL_TEXT,
    'fr-CA': 'Nous ne pouvons pas écrire à une adresse qui a des lettres comme é avant le @.',
  },
  subject: { en: 'Please choose a subject.', 'fr-CA': 'Veuillez choisir un sujet.' },
  message: { en: 'Please write a message.', 'fr-CA': 'Veuillez écrire un message.' },
  message_long: { en: 'At most 5,000 characters.', 'fr-CA': 'Au plus 5 000 caractères.' },
  character: { en: UNSENDABLE_TEXT, 'fr-CA': 'Ce texte contient un caractère qui ne peut pas être envoyé.' },
} satisfies Record<string, Record<Locale, string>>

/** Returns the schema of the contact form, whose fields are all required (requirements §5), with errors in the language given. */
export function contactFormSchema(locale: Locale) {
  const text = (key: keyof typeof VALIDATION_TEXTS) => VALIDATION_TEXTS[key][locale]
  return z.object({
    // shown in one line of an email
    name: z.string(text('name')).check(
      z.trim(),
      z.refine(hasVisibleCharacter, text('name')),
      z.refine(hasAtMostCharacters(CONTACT_NAME_MAX), text('name_long')),
      z.refine((s) => isSendable(s) && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(s), text('character')),
    ),
    email: z.string(text('email')).check(
      z.overwrite((typed) => asciiEmail(trimEmail(typed))),
      ...checkEmail(text('email'), text('email_unwritable')),
      z.maxLength(CONTACT_EMAIL_MAX_BYTES, text('email')),
    ),
    subject: z.enum(CONTACT_SUBJECTS, text('subject')),
    message: z.string(text('message')).check(
      // a form posted without scripts ends each line with CRLF
      z.overwrite((s) => s.replace(/\r\n?/g, '\n')),
      z.trim(),
      z.refine(hasVisibleCharacter, text('message')),
      z.refine(hasAtMostCharacters(CONTACT_MESSAGE_MAX), text('message_long')),
      z.refine(isSendable, text('character')),
    ),
  })
}
export const ContactForm = contactFormSchema('en')
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
