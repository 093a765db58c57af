import { CONTACT_SUBJECTS, type ContactSubject } from '#contract/contact-subjects.ts'
import type { StaticPage } from '../http/static-pages.ts'
import { makeTemplate } from '../http/template.ts'

/** The submitted values, unchanged; a missing field is empty. */
export type FormValues = { name: string; email: string; subject: string; message: string }

/** The built pages with a form whose fields are placeholders. */
export const FORM_ERROR_PAGE_FILES = {
  en: '/contact-us/again/index.html',
  'fr-CA': '/fr/contact-us/again/index.html',
} as const

/** Renders the contact form again, with what was typed and what is wrong with it. */
export function renderFormErrorPage(
  page: StaticPage,
  values: FormValues,
  error: string,
  fieldErrors: Record<string, string>,
): string {
  const fill = makeTemplate({
    CONTACT_NAME: values.name,
    CONTACT_EMAIL: values.email,
    CONTACT_MESSAGE: values.message,
    CONTACT_ERROR: error,
    CONTACT_NAME_ERROR: fieldErrors['name'] ?? '',
    CONTACT_EMAIL_ERROR: fieldErrors['email'] ?? '',
    CONTACT_SUBJECT_ERROR: fieldErrors['subject'] ?? '',
    CONTACT_MESSAGE_ERROR: fieldErrors['message'] ?? '',
  })
  const html = page.plain.toString()
  const selectedOption = CONTACT_SUBJECTS.includes(values.subject as ContactSubject)
    ? `value="${values.subject}"`
    : null
  // selected before anything typed is filled in
  return fill(selectedOption === null ? html : html.replace(selectedOption, `${selectedOption} selected=""`))
}
