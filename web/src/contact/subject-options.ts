import { CONTACT_SUBJECTS, contactSubjectName } from '#contract/contact-subjects.ts'
import { getLocale } from '~/lib/i18n/i18n'

/** Returns the subjects to choose from, in the language of the page. */
export const subjectOptions = () =>
  CONTACT_SUBJECTS.map((value) => ({ value, label: contactSubjectName(value, getLocale()) }))
