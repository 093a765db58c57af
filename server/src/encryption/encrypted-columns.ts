import type { AssociatedData } from './envelope-encryption.ts'

/** A column of the database whose values begin with an envelope; its rows have a uuid as their `id`. */
export type EncryptedColumn = {
  table: string
  column: string
  /** What follows the envelope: the text, or nothing because what it opens is stored elsewhere. */
  contents: 'text' | 'envelope'
  /** The name under which the value was bound to its row (see `Place`). */
  associatedName: string
}

/**
 * Every sealed column there is. Changing the master key and the check at the start go by this list; a test finds columns
 * that are missing here. (`sealing_keys.proof` is not one of them: each key keeps its own.)
 */
export const ENCRYPTED_COLUMNS: EncryptedColumn[] = [
  { table: 'messages', column: 'content_sealed', contents: 'text', associatedName: 'content' },
  { table: 'messages', column: 'reply_sealed', contents: 'text', associatedName: 'reply' },
  { table: 'attachments', column: 'key_envelope', contents: 'envelope', associatedName: 'file' },
  { table: 'vehicles', column: 'reject_reason_sealed', contents: 'text', associatedName: 'reject_reason' },
  { table: 'audit_log', column: 'reason_sealed', contents: 'text', associatedName: 'reason' },
  { table: 'contact_submissions', column: 'name_sealed', contents: 'text', associatedName: 'name' },
  { table: 'contact_submissions', column: 'email_sealed', contents: 'text', associatedName: 'email' },
  { table: 'contact_submissions', column: 'message_sealed', contents: 'text', associatedName: 'message' },
  { table: 'sealing_secrets', column: 'secret_sealed', contents: 'text', associatedName: 'secret' },
]

/** What a value of the column in this row is bound to. */
export const associatedDataFor = ({ table, associatedName }: EncryptedColumn, id: string): AssociatedData => ({
  table,
  column: associatedName,
  id,
})

/** For people: `messages.content_sealed`. */
export const columnName = ({ table, column }: EncryptedColumn): string => `${table}.${column}`
