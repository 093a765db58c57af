import type { AssociatedData } from '../../encryption/envelope-encryption.ts'

/** What the text of an answer is bound to. */
export const answerAssociatedData = (id: string): AssociatedData => ({ table: 'contact_answers', column: 'text', id })
