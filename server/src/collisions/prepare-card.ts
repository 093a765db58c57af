import { randomUUID } from 'node:crypto'
import type { Collision } from '#contract/collisions.ts'
import { findUnsentAttachments } from '../attachments/queries.ts'
import { readImage } from '../attachments/store-image.ts'
import type { AppContext } from '../context.ts'
import { encryptBytes, generateDataKey } from '../encryption/envelope-encryption.ts'
import { cardData, hashMessageId, type StoredCard } from './card-encryption.ts'
import { insertPhoto, type NewCard } from './queries.ts'

type Hit = Extract<Collision, { kind: 'hit' }>

/**
 * Encrypts the particulars of a message under a key of their own, and copies the photos into the card: there they lead to no
 * account. The message and its card are stored together afterwards, or neither (`deletePhotos`).
 *
 * @returns null when a photo is not the sender's, or not there any more
 */
export async function prepareCard(
  context: Pick<AppContext, 'db' | 'files' | 'keyring' | 'log'>,
  senderId: string,
  messageId: string,
  { province, particulars, photos }: Hit,
): Promise<NewCard | null> {
  const { db, keyring } = context
  const rows = await findUnsentAttachments(db, photos, senderId)
  const images = []
  for (const photo of photos) {
    const row = rows.get(photo)
    const image = row && (await readImage(context, row))
    if (!image) return null
    images.push(image)
  }
  const id = randomUUID() // no time in it
  const { dataKey, envelope } = generateDataKey(keyring, cardData.key(id))
  for (const [i, image] of images.entries())
    await insertPhoto(db, id, i + 1, encryptBytes(dataKey, cardData.photo(id, i + 1), image))
  const card: StoredCard = { version: 1, province, particulars }
  return {
    id,
    messageHash: hashMessageId(keyring, messageId),
    keyEnvelope: envelope,
    box: encryptBytes(dataKey, cardData.card(id), Buffer.from(JSON.stringify(card))),
  }
}
