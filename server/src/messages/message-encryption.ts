import { m } from '#texts/messages.js'
import { type CollisionDetails, decryptDetails, readDetails, writeDetails } from '../collisions/details.ts'
import { type DecryptContext, decryptForDisplay, openOrReport } from '../encryption/decrypt-for-display.ts'
import { type AssociatedData, decryptText, encryptText, type Keyring } from '../encryption/envelope-encryption.ts'

/** A message, and the vehicle it is for: pointed to another vehicle, it cannot be read there. */
export type MessageRef = { id: string; vehicleId: string }

const associatedData = (
  column: 'content' | 'reply' | 'sender_person' | 'owner_person',
  { id, vehicleId }: MessageRef,
): AssociatedData => ({
  table: 'messages',
  column,
  id,
  boundTo: vehicleId,
})

/** What a message says. */
type MessageContent = {
  text: string
  /** The name in the link of its image; null for none. */
  imageLink: string | null
  collision: CollisionDetails | null
}

/** Separates the parts of a content. No text that people send has this character (`isSendable`). */
const SEPARATOR = '\0'

/** Encrypts what a message says as one value, bound to its row, so that a list decrypts one value for each message. */
export function encryptContent(
  keyring: Keyring,
  ref: MessageRef,
  { text, imageLink, collision }: Pick<MessageContent, 'text'> & Partial<MessageContent>,
): Buffer {
  const more = imageLink || collision ? [imageLink ?? '', collision ? writeDetails(collision) : ''] : []
  return encryptText(keyring, associatedData('content', ref), [text, ...more].join(SEPARATOR))
}
export const encryptReply = (keyring: Keyring, ref: MessageRef, text: string): Buffer =>
  encryptText(keyring, associatedData('reply', ref), text)

/** Returns what the reply to a message is encrypted for. */
export const replyAssociatedData = (ref: MessageRef): AssociatedData => associatedData('reply', ref)

/** The columns of what a message says: as it was sent, and how far the witness has come since, if they have. */
type ContentColumns = { content_encrypted: Buffer; collision_encrypted: Buffer | null }

/** Decrypts what a message says; a damaged text is logged, and replaced by one that says so. */
export function decryptContent(
  decryptContext: DecryptContext,
  ref: MessageRef,
  { content_encrypted, collision_encrypted }: ContentColumns,
): MessageContent {
  const data = associatedData('content', ref)
  const content = decryptForDisplay(decryptContext, data, content_encrypted, m.unreadable_message)
  const [text, imageLink, collision] = content.split(SEPARATOR) as [string, string?, string?]
  return {
    text,
    imageLink: imageLink || null,
    collision: collision_encrypted
      ? decryptDetails(decryptContext, ref, collision_encrypted)
      : collision
        ? readDetails(collision)
        : null,
  }
}

/** Decrypts the reply to a message as `decryptContent` does its text; null when there is none. */
export const decryptReply = (
  decryptContext: DecryptContext,
  ref: MessageRef,
  encrypted: Buffer | null,
): string | null =>
  encrypted && decryptForDisplay(decryptContext, associatedData('reply', ref), encrypted, m.unreadable_reply)

/**
 * The length of `hashPerson`. Of somebody without an account two hashes are kept, of the device and of the network (decision
 * windshield-tag).
 */
const PERSON_HASH_BYTES = 32

/** Splits what a message keeps of its sender: the person, or a guest's device, and a guest's network. */
export const splitSender = (sender: Buffer | null): { person: Buffer | null; network: Buffer | null } => ({
  person: sender?.subarray(0, PERSON_HASH_BYTES) ?? null,
  network: sender && sender.length > PERSON_HASH_BYTES ? sender.subarray(PERSON_HASH_BYTES) : null,
})

/** The column of the person who wrote the message, or its reply. */
type PersonColumn = 'sender_person' | 'owner_person'

/** Encrypts the hash of a person (`hashPerson`) for the message they wrote or answered. */
export const encryptPerson = (keyring: Keyring, column: PersonColumn, ref: MessageRef, personHash: Buffer): Buffer =>
  encryptText(keyring, associatedData(column, ref), personHash.toString('base64'))

/** Decrypts the hash of a person. Returns null when there is none, or it was damaged. */
export function decryptPerson(
  { keyring, log }: Pick<DecryptContext, 'keyring' | 'log'>,
  column: PersonColumn,
  ref: MessageRef,
  encrypted: Buffer | null,
): Buffer | null {
  if (encrypted === null) return null
  const data = associatedData(column, ref)
  return openOrReport(log, data, () => Buffer.from(decryptText(keyring, data, encrypted), 'base64'))
}
