import type { CollisionCard, Particulars } from '#contract/collisions.ts'
import type { AppContext } from '../context.ts'
import type { Db } from '../db/pool.ts'
import { openOrReport } from '../encryption/decrypt-for-display.ts'
import { decryptBytes, unwrapDataKey } from '../encryption/envelope-encryption.ts'
import { refuse } from '../refusal.ts'
import { cardData, hashMessageId, type StoredCard } from './card-encryption.ts'
import { findCard, findCollision, listPhotos } from './queries.ts'

type ReadContext = { db: Db } & Pick<AppContext, 'keyring' | 'log'>

/** Reads the card of a message, for any reader. Returns null when there is none, or it was damaged. */
export async function readCard(
  { db, keyring, log }: ReadContext,
  messageId: string,
  withPhotos: boolean,
): Promise<{ id: string; card: StoredCard; photos: Buffer[] } | null> {
  const row = await findCard(db, hashMessageId(keyring, messageId))
  if (!row) return null
  const photos = withPhotos ? await listPhotos(db, row.id) : []
  return openOrReport(log, cardData.card(row.id), () => {
    const cardKey = unwrapDataKey(keyring, cardData.key(row.id), row.key_envelope)
    return {
      id: row.id,
      card: JSON.parse(decryptBytes(cardKey, cardData.card(row.id), row.card_box).toString()) as StoredCard,
      photos: photos.map(({ place, photo_box }) => decryptBytes(cardKey, cardData.photo(row.id, place), photo_box)),
    }
  })
}

/** Returns the card of a message for its sender, or for the owner of the vehicle. Refuses with `not_found`. */
export async function getCollisionCard(
  context: ReadContext,
  userId: string,
  messageId: string,
): Promise<CollisionCard> {
  const row = (await findCollision(context.db, messageId, userId)) ?? refuse('not_found')
  const { id, card, photos } = (await readCard(context, messageId, true)) ?? refuse('not_found')
  return {
    id,
    plate: row.plate,
    province: card.province,
    sent_at: row.inserted_at,
    particulars: toShownParticulars(card.particulars),
    photos: photos.map((photo) => `data:image/webp;base64,${photo.toString('base64')}`),
  }
}

/** Converts particulars for their readers: what was left out, or left empty, is null. */
export const toShownParticulars = (particulars: Particulars): CollisionCard['particulars'] => ({
  name: particulars.name,
  phone: particulars.phone,
  address: particulars.address,
  insurer: particulars.insurer || null,
  policy: particulars.policy || null,
  plate: particulars.plate || null,
})

/** Writes a card out as text, for moderators: what it says is a part of a reported message. */
export const writeOutCard = ({ particulars }: StoredCard): string =>
  [
    'Card of particulars:',
    ...Object.entries(particulars).flatMap(([name, value]) => (value ? [`${name}: ${value}`] : [])),
  ].join('\n')
