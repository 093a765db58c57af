import type { AssociatedData } from './envelope-encryption.ts'

/** A column with encrypted texts, or with the envelopes of keys. Its table has a column `id` of type uuid. */
export type EncryptedColumn = {
  table: string
  column: string
  /** The column's name in the associated data, which need not be its present one. */
  associatedName: string
  /** The column with the id that values are bound to besides their row. */
  boundTo?: string
}

/**
 * All encrypted columns. Changing the master key and the check at start use this list; a test finds columns that are
 * missing here. (`encryption_keys.proof` is not one of them: each key has a proof of its own.)
 */
export const ENCRYPTED_COLUMNS: EncryptedColumn[] = [
  { table: 'messages', column: 'content_encrypted', associatedName: 'content', boundTo: 'addressed_to' },
  { table: 'messages', column: 'reply_encrypted', associatedName: 'reply', boundTo: 'addressed_to' },
  { table: 'messages', column: 'sender_person_encrypted', associatedName: 'sender_person', boundTo: 'addressed_to' },
  { table: 'messages', column: 'owner_person_encrypted', associatedName: 'owner_person', boundTo: 'addressed_to' },
  { table: 'messages', column: 'collision_encrypted', associatedName: 'collision', boundTo: 'addressed_to' },
  { table: 'collision_cards', column: 'key_envelope', associatedName: 'key' },
  { table: 'attachments', column: 'link_encrypted', associatedName: 'link', boundTo: 'uploader_id' },
  { table: 'attachments', column: 'key_envelope', associatedName: 'file' },
  { table: 'dispute_documents', column: 'key_envelope', associatedName: 'file', boundTo: 'vehicle_id' },
  { table: 'vehicles', column: 'reject_reason_encrypted', associatedName: 'reject_reason' },
  { table: 'audit_log', column: 'reason_encrypted', associatedName: 'reason' },
  { table: 'contact_submissions', column: 'name_encrypted', associatedName: 'name' },
  { table: 'contact_submissions', column: 'email_encrypted', associatedName: 'email' },
  { table: 'contact_submissions', column: 'message_encrypted', associatedName: 'message' },
  { table: 'sanctions', column: 'reason_encrypted', associatedName: 'reason' },
  { table: 'sanctions', column: 'lift_reason_encrypted', associatedName: 'lift_reason' },
  { table: 'appeals', column: 'text_encrypted', associatedName: 'text' },
  { table: 'appeals', column: 'decision_reason_encrypted', associatedName: 'decision_reason' },
  { table: 'auth.factors', column: 'secret_encrypted', associatedName: 'secret' },
  { table: 'notes', column: 'key_envelope', associatedName: 'key' },
  { table: 'report_cases', column: 'key_envelope', associatedName: 'key' },
  { table: 'tags', column: 'token_encrypted', associatedName: 'token', boundTo: 'vehicle_id' },
  { table: 'receipt_pushes', column: 'receipt_encrypted', associatedName: 'receipt' },
  { table: 'encryption_secrets', column: 'secret_encrypted', associatedName: 'secret' },
]

/**
 * Returns what a value of the column is bound to in this row.
 *
 * @param boundTo the id in the column `boundTo`, where there is one
 */
export const associatedDataFor = (
  { table, associatedName }: EncryptedColumn,
  id: string,
  boundTo: string | null = null,
): AssociatedData => ({ table, column: associatedName, id, ...(boundTo !== null && { boundTo }) })

/** Names a column for people to read: `messages.content_encrypted`. */
export const columnName = ({ table, column }: EncryptedColumn): string => `${table}.${column}`
