import { randomUUID } from 'node:crypto'
import type { Collision } from '#contract/collisions.ts'
import { type AttachmentRow, deleteUnsentAttachmentsAmong, findUnsentAttachments } from '../attachments/queries.ts'
import { readImage } from '../attachments/read-image.ts'
import type { AppContext } from '../context.ts'
import { encryptCard, encryptPhoto, generateCardKey, hashMessageId } from './card-encryption.ts'
import { deletePhotos, insertPhoto, type NewCard } from './queries.ts'

type Hit = Extract<Collision, { kind: 'hit' }>

/**
 * Encrypts the particulars of a message under a key of their own, and copies the photos into the card: there they lead to no
 * account. The message and its card are stored together afterwards, or neither (`discardPhotos`).
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
    const image = await readPhoto(context, rows.get(photo))
    if (image === null) return null
    images.push(image)
  }
  const id = randomUUID() // no time in it
  const { dataKey, envelope } = generateCardKey(keyring, id)
  for (const [i, image] of images.entries()) await insertPhoto(db, id, i + 1, encryptPhoto(dataKey, id, i + 1, image))
  return {
    id,
    messageHash: hashMessageId(keyring, messageId),
    keyEnvelope: envelope,
    box: encryptCard(dataKey, id, { version: 1, province, particulars }),
  }
}

const readPhoto = async (
  context: Pick<AppContext, 'files' | 'keyring' | 'log'>,
  row: AttachmentRow | undefined,
): Promise<Buffer | null> => (row ? readImage(context, row) : null)

/** Deletes the photos of a card whose message was not sent; should that fail, they are deleted after a day. */
export const discardPhotos = async ({ db }: Pick<AppContext, 'db'>, card: NewCard): Promise<void> =>
  deletePhotos(db, card.id)

/** Deletes the uploads that are part of a card now: they name the account. Otherwise they would go after an hour. */
export const deleteUploads = async (
  { db }: Pick<AppContext, 'db'>,
  senderId: string,
  photos: string[],
): Promise<void> => deleteUnsentAttachmentsAmong(db, photos, senderId)
