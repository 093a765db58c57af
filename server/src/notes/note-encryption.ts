import { createHmac, randomInt } from 'node:crypto'
import { hashRaw } from '@node-rs/argon2'
import type { MessageReason } from '#contract/messages.ts'
import { noteCheckDigit } from '#contract/note-code.ts'
import { foldPlate } from '#contract/plates.ts'
import type { Locale } from '#contract/product.ts'
import type { Province } from '#contract/provinces.ts'
import { HASH_PARAMETERS } from '../auth/password.ts'
import type { AppContext } from '../context.ts'
import {
  type AssociatedData,
  DecryptionError,
  decryptBytes,
  encryptBytes,
  generateDataKey,
  type Keyring,
  keyedHash,
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

const SALT_BYTES = 16

/** What code and plate lead to: where the note is found, and half of the key that opens it. */
type NoteKeys = { codeHash: Buffer; secret: Buffer }

/** Chooses a code at random: eleven digits and their check digit. */
export function chooseCode(): string {
  const digits = Array.from({ length: 11 }, () => randomInt(10)).join('')
  return digits + noteCheckDigit(digits)
}

/**
 * Derives the keys of a note, at the price of a password's hash each. Both are slow hashes under a secret that is not in the database: who has the database and the
 * master key still has to try a hundred thousand million codes, and then the plates, each at the price of a password.
 *
 * @param plateKey as plates are matched; plates that read alike lead to one secret
 */
export async function deriveNoteKeys(
  { keyring, passwordHashing = HASH_PARAMETERS }: Pick<AppContext, 'keyring' | 'passwordHashing'>,
  code: string,
  plateKey: string,
): Promise<NoteKeys> {
  const parameters = { ...passwordHashing, outputLen: 32 }
  const codeHash = await hashRaw(code, {
    ...parameters,
    // the same for every note: it has to be found by its code
    salt: keyedHash(keyring, 'note code salt', '').subarray(0, SALT_BYTES),
    secret: keyedHash(keyring, 'note code', ''),
  })
  const secret = await hashRaw(`${code} ${foldPlate(plateKey)}`, {
    ...parameters,
    salt: codeHash.subarray(0, SALT_BYTES),
    secret: keyedHash(keyring, 'note key', ''),
  })
  return { codeHash, secret }
}
