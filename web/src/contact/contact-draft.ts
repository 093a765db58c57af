import { CONTACT_SUBJECTS, type ContactSubject } from '#contract/contact.ts'
import { keepDraft, oneOf, readFieldsDraft, textOf } from '~/lib/drafts'

const DRAFT = 'contact'

export type ContactDraft = { name: string; email: string; subject: ContactSubject | ''; message: string }

/** What was being written in this tab; what is lost is empty. */
export function readContactDraft(): ContactDraft {
  const { name, email, subject, message } = readFieldsDraft(DRAFT)
  return {
    name: textOf(name),
    email: textOf(email),
    subject: oneOf(CONTACT_SUBJECTS, subject),
    message: textOf(message),
  }
}

export const keepContactDraft = (draft: ContactDraft) => keepDraft(DRAFT, draft)

export const forgetContactDraft = () => keepDraft(DRAFT, undefined)
