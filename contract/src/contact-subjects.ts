// chunk: base

import * as z from 'zod/mini'
import { m } from '#texts/messages.js'
import type { Locale, Text } from './product.ts'

/** The subjects of a message to the support team (requirements §5), in the order of the form. */
export const CONTACT_SUBJECTS = [
  'general-inquiry',
  'technical-support',
  'account-verification',
  'feedback-suggestions',
  'partnership',
  'report-problem',
  'media-press',
  'delete-account',
] as const
export const ContactSubject = z.enum(CONTACT_SUBJECTS)
export type ContactSubject = z.infer<typeof ContactSubject>

const NAMES: Record<ContactSubject, Text> = {
  'general-inquiry': m.contact_subject_general_inquiry,
  'technical-support': m.contact_subject_technical_support,
  'account-verification': m.contact_subject_account_verification,
  'feedback-suggestions': m.contact_subject_feedback_suggestions,
  partnership: m.contact_subject_partnership,
  'report-problem': m.contact_subject_report_problem,
  'media-press': m.contact_subject_media_press,
  'delete-account': m.contact_subject_delete_account,
}

/** Returns the name of a subject, in the form and in the email to the support team. */
export const contactSubjectName = (subject: ContactSubject, locale: Locale): string => NAMES[subject]({}, { locale })
