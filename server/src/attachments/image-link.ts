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
 * The link of an image as it is stored until it is sent. Who has the link can see the image, so the database does not contain it in
 * clear: it is encrypted for the user who uploaded it, and then a part of what its message says. Version 0.2.0 encrypted it here for
 * the message.
 */
export type StoredLink = {
  image_id: string
  image_link: Buffer | null
  /** The name of the file where it is the link's name, too, which it is for images stored before links were encrypted. */
  image_name: string | null
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

/** Encrypts the link of an image for the user who uploaded it. */
export const encryptLink = (keyring: Keyring, imageId: string, uploaderId: string, link: string): Buffer =>
  encryptText(keyring, associatedData(imageId, uploaderId), link)

/** Decrypts the link of an image that is about to be sent. Returns null when it was damaged, or is none of this user's. */
export function decryptUnsentLink(
  keyring: Keyring,
  { image_id, image_link }: StoredLink,
  uploaderId: string,
): string | null {
  if (image_link === null) return null
  try {
    return decryptText(keyring, associatedData(image_id, uploaderId), image_link)
  } catch (error) {
    if (error instanceof DecryptionError) return null
    throw error
  }
}

/**
 * Returns the public path of an image; null when there is none, or its link was damaged or is another message's.
 *
 * @param boundTo the id of the message, or of the user who uploaded the image and has not sent it
 * @param sentLink the link in the message
 */
export function readImageUrl(
  { keyring, log }: Pick<DecryptContext, 'keyring' | 'log'>,
  boundTo: string,
  { image_id, image_link, image_name }: StoredLink | { [Name in keyof StoredLink]: null },
  sentLink: string | null,
): string | null {
  if (image_id === null) return null
  const link = sentLink ?? image_name
  if (link !== null) return imageUrl(link)
  if (image_link === null) return null // its message was damaged, or is another one
  const data = associatedData(image_id, boundTo)
  return openOrReport(log, data, () => imageUrl(decryptText(keyring, data, image_link)))
}
