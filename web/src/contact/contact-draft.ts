import * as z from 'zod/mini'
import { ContactSubject } from '#contract/contact.ts'
import { keepDraft, readDraft } from '~/lib/drafts'

const DRAFT = 'contact'

const text = z.catch(z.string(), '')
/** What is lost or of another kind is empty; the rest stays. */
const Draft = z.object({
  name: text,
  email: text,
  subject: z.catch(z.union([ContactSubject, z.literal('')]), ''),
  message: text,
})

export type ContactDraft = z.output<typeof Draft>

/** What was being written in this tab. */
export const readContactDraft = () => Draft.parse(readDraft(DRAFT) ?? {})

export const keepContactDraft = (draft: ContactDraft) => keepDraft(DRAFT, draft)

export const forgetContactDraft = () => keepDraft(DRAFT, undefined)
