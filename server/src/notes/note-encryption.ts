import { createHmac } from 'node:crypto'
import type { MessageReason } from '#contract/messages.ts'
import type { Locale } from '#contract/product.ts'
import type { Province } from '#contract/provinces.ts'
import {
  type AssociatedData,
  DecryptionError,
  decryptBytes,
  encryptBytes,
  generateDataKey,
  type Keyring,
  unwrapDataKey,
} from '../encryption/envelope-encryption.ts'

/** What a note keeps encrypted. */
export type NoteContent = {
  version: 1
  content: string
  reason: MessageReason | null
  /** The language of its sender. */
  language: Locale
  province: Province | null
  /** The person who left it (`hashPerson`, in base64). */
  sender_person: string
}

export type EncryptedNote = { key_envelope: Buffer; content_box: Buffer }

const keyOf = (id: string): AssociatedData => ({ table: 'notes', column: 'key', id })
const contentOf = (id: string): AssociatedData => ({ table: 'notes', column: 'content', id })

/** Joins what the master key wraps with what only code and plate lead to. */
const joinKeys = (dataKey: Buffer, secret: Buffer): Buffer =>
  createHmac('sha256', dataKey).update('note\0').update(secret).digest()

/** Encrypts a note. Another master key encrypts its envelope anew, as all others; the box stays as it is. */
export function encryptNote(keyring: Keyring, id: string, secret: Buffer, note: NoteContent): EncryptedNote {
  const { dataKey, envelope } = generateDataKey(keyring, keyOf(id))
  const content_box = encryptBytes(joinKeys(dataKey, secret), contentOf(id), Buffer.from(JSON.stringify(note)))
  return { key_envelope: envelope, content_box }
}

/** Opens a note. Returns null when code or plate is another's, or the note was damaged. */
export function decryptNote(
  keyring: Keyring,
  id: string,
  secret: Buffer,
  encrypted: EncryptedNote,
): NoteContent | null {
  try {
    const key = joinKeys(unwrapDataKey(keyring, keyOf(id), encrypted.key_envelope), secret)
    return JSON.parse(decryptBytes(key, contentOf(id), encrypted.content_box).toString()) as NoteContent
  } catch (error) {
    if (error instanceof DecryptionError) return null
    throw error
  }
}
