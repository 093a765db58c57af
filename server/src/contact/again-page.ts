import { CONTACT_SUBJECTS, type ContactSubject } from '#contract/contact.ts'
import type { Page } from '../http/pages.ts'
import { filled } from '../http/placeholders.ts'

/** What was typed, as it came; a field that did not come is empty. */
export type Typed = { name: string; email: string; subject: string; message: string }

/** The built page in a language, with a form whose fields are placeholders. */
export const AGAIN_FILE = { en: '/contact-us/again/index.html', 'fr-CA': '/fr/contact-us/again/index.html' } as const

/** The contact form again, with what was typed and what is wrong with it. */
export function againPage(page: Page, typed: Typed, error: string, fields: Record<string, string>): string {
  const fill = filled({
    CONTACT_NAME: typed.name,
    CONTACT_EMAIL: typed.email,
    CONTACT_MESSAGE: typed.message,
    CONTACT_ERROR: error,
    CONTACT_NAME_ERROR: fields['name'] ?? '',
    CONTACT_EMAIL_ERROR: fields['email'] ?? '',
    CONTACT_SUBJECT_ERROR: fields['subject'] ?? '',
    CONTACT_MESSAGE_ERROR: fields['message'] ?? '',
  })
  const html = page.plain.toString()
  const chosen = CONTACT_SUBJECTS.includes(typed.subject as ContactSubject) ? `value="${typed.subject}"` : null
  // before anything typed is in it
  return fill(chosen === null ? html : html.replace(chosen, `${chosen} selected=""`))
}
