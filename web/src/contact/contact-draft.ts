import { CONTACT_SUBJECTS, type ContactSubject } from '#contract/contact.ts'
import { asOneOf, asString, readDraftFields, saveDraft } from '~/lib/form/drafts'

const DRAFT_NAME = 'contact'

export type ContactDraft = { name: string; email: string; subject: ContactSubject | ''; message: string }

/** What was being written in this tab; what is lost is empty. */
export function readContactDraft(): ContactDraft {
  const { name, email, subject, message } = readDraftFields(DRAFT_NAME)
  return {
    name: asString(name),
    email: asString(email),
    subject: asOneOf(CONTACT_SUBJECTS, subject),
    message: asString(message),
  }
}

export const saveContactDraft = (draft: ContactDraft) => saveDraft(DRAFT_NAME, draft)

export const clearContactDraft = () => saveDraft(DRAFT_NAME, undefined)
