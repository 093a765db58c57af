import type { Attachment } from '#contract/attachments.ts'
import type { AppContext } from '../context.ts'
import { newId } from '../db/ids.ts'
import { openOrReport } from '../encryption/decrypt-for-display.ts'
import {
  type AssociatedData,
  decryptBytes,
  encryptBytes,
  generateDataKey,
  unwrapDataKey,
} from '../encryption/envelope-encryption.ts'
import { generateSecret } from '../encryption/secrets.ts'
import { refuse } from '../refusal.ts'
import { encryptLink, fileNameOfLink, imageFileName, imageUrl } from './image-link.ts'
import type { ImageProcesses } from './image-processes.ts'
import { type AttachmentRow, findAttachment, insertAttachment } from './queries.ts'

/** Returns what the encryption of an image is bound to. */
const imageAssociatedData = (id: string): AssociatedData => ({ table: 'attachments', column: 'file', id })

/**
 * Re-encodes an image, encrypts it and stores it for an hour, or for good once a message uses it (decision photos-and-files).
 *
 * Refuses with `file_incomplete`, `image_unreadable`, `image_too_many_pixels`, `busy`, or `session_ended` when the account was deleted meanwhile.
 */
export async function storeImage(
  { db, files, keyring }: Pick<AppContext, 'db' | 'files' | 'keyring'>,
  images: ImageProcesses,
  uploaderId: string,
  upload: Buffer,
): Promise<Attachment> {
  const { bytes, width, height } = await images.reencode(uploaderId, upload)
  const id = newId()
  const link = generateSecret()
  const name = fileNameOfLink(keyring, link)
  const { dataKey, envelope } = generateDataKey(keyring, imageAssociatedData(id))
  // the row first: a file without a row would never be found again, while a row without a file is deleted after an hour
  await insertAttachment(db, {
    id,
    uploader_id: uploaderId,
    name,
    link_encrypted: encryptLink(keyring, id, uploaderId, link),
    key_envelope: envelope,
    size: bytes.length,
    width,
    height,
  })
  await files.put(imageFileName(name), encryptBytes(dataKey, imageAssociatedData(id), Buffer.from(bytes)))
  // the account was deleted meanwhile, and the row with it: nothing else would ever remove the file
  if (!(await findAttachment(db, name))) {
    await files.remove(imageFileName(name))
    refuse('session_ended')
  }
  return { id, url: imageUrl(link) }
}

/** Reads an image from its file. Returns null when there is no such file, or it was damaged or belongs to another image. */
export async function readImage(
  { files, keyring, log }: Pick<AppContext, 'files' | 'keyring' | 'log'>,
  { id, name, key_envelope }: AttachmentRow,
): Promise<Buffer | null> {
  const encrypted = await files.get(imageFileName(name))
  if (encrypted === null) return null
  const data = imageAssociatedData(id)
  return openOrReport(log, data, () => decryptBytes(unwrapDataKey(keyring, data, key_envelope), data, encrypted))
}
