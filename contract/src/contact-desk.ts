import * as z from 'zod/mini'
import { ContactSubject } from './contact-subjects.ts'
import { endpoint, IdParam, PageParams, pageOf } from './endpoint.ts'
import { hasAtMostCharacters, isSendable, UNSENDABLE_TEXT } from './fields.ts'
import { LOCALES } from './product.ts'
import { Purpose } from './purpose.ts'
import { hasVisibleCharacter } from './visible-text.ts'

// What people wrote on the contact page, as admins work on it (decision 0087).

/** Whether admins still have to do something about it. */
export const DeskState = z.enum(['open', 'closed'])
export type DeskState = z.infer<typeof DeskState>

/** Whether the email with an answer has left: null when it was so long ago that nobody knows any more. */
const Delivery = z.nullable(z.enum(['queued', 'sent', 'failed']))
export type Delivery = z.infer<typeof Delivery>

/** One submission in the list, without anything that somebody wrote. */
export const ContactItem = z.object({
  id: z.uuid(),
  subject: ContactSubject,
  /** The language of the page it was written on; answers are written in it. */
  locale: z.enum(LOCALES),
  created_at: z.iso.datetime(),
  state: DeskState,
  /** When it was answered last. */
  answered_at: z.nullable(z.iso.datetime()),
  /** Whether the last answer has arrived. */
  delivery: Delivery,
})
export type ContactItem = z.infer<typeof ContactItem>

export const listContact = endpoint({
  method: 'GET',
  path: '/api/admin/contact',
  audience: 'admin',
  status: 200,
  summary:
    'What people wrote on the contact page, without its text: the open ones, oldest first, or the closed ones, newest first.',
  input: z.extend(PageParams, { state: z.optional(DeskState) }),
  output: pageOf(ContactItem),
})

export const OpenedContact = z.extend(ContactItem, {
  name: z.string(),
  /** As typed: anybody can type any address. */
  email: z.string(),
  message: z.string(),
  /** What admins answered, oldest first. */
  answers: z.array(z.object({ id: z.uuid(), text: z.string(), created_at: z.iso.datetime(), delivery: Delivery })),
})
export type OpenedContact = z.infer<typeof OpenedContact>

export const openContact = endpoint({
  method: 'POST',
  path: '/api/admin/contact/:id/open',
  audience: 'admin',
  status: 200,
  summary: 'One submission with its text. Who opened it, and what for, is recorded in the audit log.',
  input: z.extend(IdParam, { purpose: Purpose }),
  output: OpenedContact,
})

/** Maximum length of an answer, in characters. */
export const ANSWER_MAX = 5_000

const ANSWER_TEXT = 'Please write an answer.'

export const answerContact = endpoint({
  method: 'POST',
  path: '/api/admin/contact/:id/answer',
  audience: 'admin',
  status: 200,
  summary:
    'Answers by email, with the person’s text quoted; a reply to it reaches the support address. The same text again sends nothing twice.',
  input: z.extend(IdParam, {
    text: z
      .string(ANSWER_TEXT)
      .check(
        z.trim(),
        z.refine(hasVisibleCharacter, ANSWER_TEXT),
        z.refine(hasAtMostCharacters(ANSWER_MAX), 'At most 5,000 characters.'),
        z.refine(isSendable, UNSENDABLE_TEXT),
      ),
  }),
  output: ContactItem,
})

export const closeContact = endpoint({
  method: 'POST',
  path: '/api/admin/contact/:id/close',
  audience: 'admin',
  status: 200,
  summary: 'Closes a submission; again: the same.',
  input: IdParam,
  output: ContactItem,
})

export const reopenContact = endpoint({
  method: 'POST',
  path: '/api/admin/contact/:id/reopen',
  audience: 'admin',
  status: 200,
  summary: 'Opens a closed submission again, so that it can be answered; again: the same.',
  input: IdParam,
  output: ContactItem,
})
