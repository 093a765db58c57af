import { STORAGE_PATH } from '#contract/attachments.ts'
import { type DecryptContext, openOrReport } from '../encryption/decrypt-for-display.ts'
import {
  type AssociatedData,
  DecryptionError,
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
 * The link of an image as it is stored. Who has the link can see the image, so the database does not contain it in clear: it
 * is encrypted for the message that has the image, and before that for the user who uploaded it.
 */
export type StoredLink = {
  image_id: string
  /** The name of the file. For images stored before links were encrypted it is the link's name, too. */
  image_name: string
  image_link: Buffer | null
}

const associatedData = (imageId: string, boundTo: string): AssociatedData => ({
  table: 'attachments',
  column: 'link',
  id: imageId,
  boundTo,
})

/** Returns the name of the file behind a link, from which the link cannot be derived. */
export const fileNameOfLink = (keyring: Keyring, link: string): string =>
  keyedHash(keyring, 'image', link).toString('base64url')

/**
 * Encrypts the link of an image.
 *
 * @param boundTo the id of the message, or of the user who uploaded the image and has not sent it
 */
export const encryptLink = (keyring: Keyring, imageId: string, boundTo: string, link: string): Buffer =>
  encryptText(keyring, associatedData(imageId, boundTo), link)

/** Encrypts the link of an uploaded image for its message. Returns null when it was damaged, or is none of this user's. */
export function encryptLinkForMessage(
  keyring: Keyring,
  { image_id, image_link }: StoredLink,
  uploaderId: string,
  messageId: string,
): Buffer | null {
  if (image_link === null) return null
  try {
    const link = decryptText(keyring, associatedData(image_id, uploaderId), image_link)
    return encryptLink(keyring, image_id, messageId, link)
  } catch (error) {
    if (error instanceof DecryptionError) return null
    throw error
  }
}

/**
 * Returns the public path of an image; null when there is none, or its link was damaged or is another message's.
 *
 * @param boundTo the id of the message, or of the user who uploaded the image and has not sent it
 */
export function readImageUrl(
  { keyring, log }: Pick<DecryptContext, 'keyring' | 'log'>,
  boundTo: string,
  { image_id, image_name, image_link }: StoredLink | { [Name in keyof StoredLink]: null },
): string | null {
  if (image_id === null) return null
  if (image_link === null) return imageUrl(image_name)
  const data = associatedData(image_id, boundTo)
  return openOrReport(log, data, () => imageUrl(decryptText(keyring, data, image_link)))
}
