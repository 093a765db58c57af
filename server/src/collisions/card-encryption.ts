import type { Particulars } from '#contract/collisions.ts'
import type { Province } from '#contract/provinces.ts'
import { type AssociatedData, type Keyring, keyedHash } from '../encryption/envelope-encryption.ts'

/** What a card keeps, besides its photos. */
export type StoredCard = { version: 1; province: Province; particulars: Particulars }

/** What the values of a card are bound to, a photo also to its position. All but its key are encrypted with that key. */
export const cardData = {
  key: (cardId: string): AssociatedData => ({ table: 'collision_cards', column: 'key', id: cardId }),
  card: (cardId: string): AssociatedData => ({ table: 'collision_cards', column: 'card', id: cardId }),
  photo: (cardId: string, position: number): AssociatedData => ({
    table: 'collision_photos',
    column: `photo ${position}`,
    id: cardId,
  }),
}

/** Hashes the id of a message, to find its card: without the key nobody can find out which one it is. */
export const hashMessageId = (keyring: Keyring, messageId: string): Buffer =>
  keyedHash(keyring, 'collision card', messageId)
