import type { AssociatedData } from './envelope-encryption.ts'

/** A column whose values begin with a key envelope. Its table has a column `id` of type uuid. */
export type EncryptedColumn = {
  table: string
  column: string
  /** `text` follows the envelope; with `envelope` nothing does, because what it encrypts is stored elsewhere. */
  contents: 'text' | 'envelope'
  /** The column's name in the associated data, which need not be its present one. */
  associatedName: string
}

/**
 * All encrypted columns. Changing the master key and the check at start use this list; a test finds columns that are
 * missing here. (`encryption_keys.proof` is not one of them: each key has a proof of its own.)
 */
export const ENCRYPTED_COLUMNS: EncryptedColumn[] = [
  { table: 'messages', column: 'content_encrypted', contents: 'text', associatedName: 'content' },
  { table: 'messages', column: 'reply_encrypted', contents: 'text', associatedName: 'reply' },
  { table: 'attachments', column: 'key_envelope', contents: 'envelope', associatedName: 'file' },
  { table: 'vehicles', column: 'reject_reason_encrypted', contents: 'text', associatedName: 'reject_reason' },
  { table: 'audit_log', column: 'reason_encrypted', contents: 'text', associatedName: 'reason' },
  { table: 'contact_submissions', column: 'name_encrypted', contents: 'text', associatedName: 'name' },
  { table: 'contact_submissions', column: 'email_encrypted', contents: 'text', associatedName: 'email' },
  { table: 'contact_submissions', column: 'message_encrypted', contents: 'text', associatedName: 'message' },
  { table: 'encryption_secrets', column: 'secret_encrypted', contents: 'text', associatedName: 'secret' },
]

/** Returns what a value of the column is bound to in this row. */
export const associatedDataFor = ({ table, associatedName }: EncryptedColumn, id: string): AssociatedData => ({
  table,
  column: associatedName,
  id,
})

/** Names a column for people to read: `messages.content_encrypted`. */
export const columnName = ({ table, column }: EncryptedColumn): string => `${table}.${column}`
