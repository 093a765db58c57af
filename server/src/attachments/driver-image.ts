import type { Keyring } from '../encryption/envelope-encryption.ts'
import { createToken, idAt, idsToBytes, readToken } from '../encryption/signed-ids.ts'
import { imageUrl } from './image-link.ts'

/** What the link of an image for a driver names. */
type DriverImage = { driverId: string; imageId: string }

/** The names of such links, without their ending: longer than those of other images. */
export const DRIVER_LINK = /^[A-Za-z0-9_-]{64}$/

/**
 * Returns the path of an image for one driver of the vehicle. Others' links stay valid as long as the image: this one ends with
 * the driver, so that a former driver does not see the images of links they kept (decision vehicle-people).
 */
export function driverImageUrl(
  keyring: Keyring,
  driverId: string,
  { image_id }: { image_id: string | null },
): string | null {
  return image_id === null ? null : imageUrl(createToken(keyring, 'driver image', idsToBytes(driverId, image_id)))
}

/** Reads such a link. Returns null when it was not made here. */
export function readDriverLink(keyring: Keyring, link: string): DriverImage | null {
  const ids = readToken(keyring, 'driver image', link)
  return ids && { driverId: idAt(ids, 0), imageId: idAt(ids, 1) }
}
