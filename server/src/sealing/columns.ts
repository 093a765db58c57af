import type { Place } from './seal.ts'

/** A column of the database whose values begin with an envelope; its rows have a uuid as their `id`. */
export type SealedColumn = {
  table: string
  column: string
  /** What follows the envelope: the text, or nothing because what it opens is stored elsewhere. */
  holds: 'text' | 'envelope'
  /** The name under which the value was bound to its row (see `Place`). */
  boundAs: string
}

/**
 * Every sealed column there is. Changing the master key and the check at the start go by this list; a test finds columns
 * that are missing here. (`sealing_keys.proof` is not one of them: each key keeps its own.)
 */
export const SEALED_COLUMNS: SealedColumn[] = [
  { table: 'messages', column: 'content_sealed', holds: 'text', boundAs: 'content' },
  { table: 'messages', column: 'reply_sealed', holds: 'text', boundAs: 'reply' },
  { table: 'attachments', column: 'key_envelope', holds: 'envelope', boundAs: 'file' },
  { table: 'vehicles', column: 'reject_reason_sealed', holds: 'text', boundAs: 'reject_reason' },
  { table: 'audit_log', column: 'reason_sealed', holds: 'text', boundAs: 'reason' },
  { table: 'contact_submissions', column: 'name_sealed', holds: 'text', boundAs: 'name' },
  { table: 'contact_submissions', column: 'email_sealed', holds: 'text', boundAs: 'email' },
  { table: 'contact_submissions', column: 'message_sealed', holds: 'text', boundAs: 'message' },
  { table: 'sealing_secrets', column: 'secret_sealed', holds: 'text', boundAs: 'secret' },
]

/** What a value of the column in this row is bound to. */
export const placeIn = ({ table, boundAs }: SealedColumn, id: string): Place => ({ table, column: boundAs, id })

/** For people: `messages.content_sealed`. */
export const nameOf = ({ table, column }: SealedColumn): string => `${table}.${column}`
