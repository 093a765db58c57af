// chunk: base

import * as z from 'zod/mini'
import type { Locale } from './product.ts'

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

const SUBJECT_NAMES: Record<ContactSubject, Record<Locale, string>> = {
  'general-inquiry': { en: 'General inquiry', 'fr-CA': 'Question générale' },
  'technical-support': { en: 'Technical support', 'fr-CA': 'Soutien technique' },
  'account-verification': { en: 'Account verification', 'fr-CA': 'Vérification de compte' },
  'feedback-suggestions': { en: 'Feedback and suggestions', 'fr-CA': 'Commentaires et suggestions' },
  partnership: { en: 'Partnership', 'fr-CA': 'Partenariat' },
  'report-problem': { en: 'Report a problem', 'fr-CA': 'Signaler un problème' },
  'media-press': { en: 'Media and press', 'fr-CA': 'Médias et presse' },
  'delete-account': { en: 'Delete my account', 'fr-CA': 'Supprimer mon compte' },
}

/** Returns the name of a subject, in the form and in the email to the support team. */
export const contactSubjectName = (subject: ContactSubject, locale: Locale): string => SUBJECT_NAMES[subject][locale]
