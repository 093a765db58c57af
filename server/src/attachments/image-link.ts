import { STORAGE_PATH } from '#contract/attachments.ts'
import { type DecryptContext, openOrReport } from '../encryption/decrypt-for-display.ts'
import {
  type AssociatedData,
  decryptText,
  encryptText,
  type Keyring,
  keyedHash,
} from '../encryption/envelope-encryption.ts'

/** Returns the name of an attachment's stored file. */
export const imageFileName = (name: string): string => `${name}.webp`

/** Returns the public path of a stored image. */
export const imageUrl = (name: string): string => `${STORAGE_PATH}/${imageFileName(name)}`

/**
 * The link of an image that was not sent yet. Who has the link can see the image, so the database does not contain it in clear: it is
 * encrypted for the user who uploaded it, and then a part of what its message says.
 */
export type UnsentLink = { id: string; uploader_id: string; link_encrypted: Buffer }

const associatedData = (id: string, uploaderId: string): AssociatedData => ({
  table: 'attachments',
  column: 'link',
  id,
  boundTo: uploaderId,
})

/** Returns the name of the file behind a link, from which the link cannot be derived. */
export const fileNameOfLink = (keyring: Keyring, link: string): string =>
  keyedHash(keyring, 'image', link).toString('base64url')

/** Encrypts the link of an image for the user who uploaded it. */
export const encryptLink = (keyring: Keyring, imageId: string, uploaderId: string, link: string): Buffer =>
  encryptText(keyring, associatedData(imageId, uploaderId), link)

/** Decrypts the link of an image that was not sent yet; null when it was damaged, which is reported. */
export function decryptUnsentLink(
  { keyring, log }: Pick<DecryptContext, 'keyring' | 'log'>,
  { id, uploader_id, link_encrypted }: UnsentLink,
): string | null {
  const data = associatedData(id, uploader_id)
  return openOrReport(log, data, () => decryptText(keyring, data, link_encrypted))
}
