import type { Particulars } from '#contract/collisions.ts'
import type { Province } from '#contract/provinces.ts'
import {
  type AssociatedData,
  decryptBytes,
  encryptBytes,
  generateDataKey,
  type Keyring,
  keyedHash,
  unwrapDataKey,
} from '../encryption/envelope-encryption.ts'

/** What a card keeps, besides its photos. */
export type StoredCard = { version: 1; province: Province; particulars: Particulars }

const keyOf = (cardId: string): AssociatedData => ({ table: 'collision_cards', column: 'key', id: cardId })
const cardOf = (cardId: string): AssociatedData => ({ table: 'collision_cards', column: 'card', id: cardId })
const photoOf = (cardId: string, position: number): AssociatedData => ({
  table: 'collision_photos',
  column: `photo ${position}`,
  id: cardId,
})

/** Hashes the id of a message, to find its card: without the key nobody can find out which one it is. */
export const hashMessageId = (keyring: Keyring, messageId: string): Buffer =>
  keyedHash(keyring, 'collision card', messageId)

/** Generates the key of a card, and its envelope. */
export const generateCardKey = (keyring: Keyring, cardId: string) => generateDataKey(keyring, keyOf(cardId))

/** Decrypts the key of a card. Throws a DecryptionError. */
export const openCardKey = (keyring: Keyring, cardId: string, envelope: Buffer): Buffer =>
  unwrapDataKey(keyring, keyOf(cardId), envelope)

/** Encrypts a card with the key of its own. */
export const encryptCard = (cardKey: Buffer, cardId: string, card: StoredCard): Buffer =>
  encryptBytes(cardKey, cardOf(cardId), Buffer.from(JSON.stringify(card)))

/** Decrypts a card. Throws a DecryptionError. */
export const decryptCard = (cardKey: Buffer, cardId: string, box: Buffer): StoredCard =>
  JSON.parse(decryptBytes(cardKey, cardOf(cardId), box).toString()) as StoredCard

/** Encrypts one photo of a card, bound to its position among them. */
export const encryptPhoto = (cardKey: Buffer, cardId: string, position: number, photo: Buffer): Buffer =>
  encryptBytes(cardKey, photoOf(cardId, position), photo)

/** Decrypts one photo of a card. Throws a DecryptionError. */
export const decryptPhoto = (cardKey: Buffer, cardId: string, position: number, box: Buffer): Buffer =>
  decryptBytes(cardKey, photoOf(cardId, position), box)
