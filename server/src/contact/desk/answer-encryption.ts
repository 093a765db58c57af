import type { AssociatedData } from '../../encryption/envelope-encryption.ts'

/** Returns the associated data of the text of an answer. */
export const answerAssociatedData = (id: string): AssociatedData => ({ table: 'contact_answers', column: 'text', id })
