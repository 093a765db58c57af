import type { AppContext } from '../context.ts'
import { reportUndecryptable } from '../encryption/decrypt-for-display.ts'
import { DecryptionError, decryptBytes, unwrapDataKey } from '../encryption/envelope-encryption.ts'
import { imageFileName } from './image-link.ts'
import type { AttachmentRow } from './queries.ts'
import { imageAssociatedData } from './store-image.ts'

/** Reads an image from its file. Returns null when there is no such file, or it was damaged or belongs to another image. */
export async function readImage(
  { files, keyring, log }: Pick<AppContext, 'files' | 'keyring' | 'log'>,
  { id, name, key_envelope }: AttachmentRow,
): Promise<Buffer | null> {
  const encrypted = await files.get(imageFileName(name))
  if (encrypted === null) return null
  try {
    return decryptBytes(
      unwrapDataKey(keyring, imageAssociatedData(id), key_envelope),
      imageAssociatedData(id),
      encrypted,
    )
  } catch (error) {
    if (!(error instanceof DecryptionError)) throw error
    reportUndecryptable(log, imageAssociatedData(id))
    return null
  }
}
