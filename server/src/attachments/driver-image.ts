import { timingSafeEqual } from 'node:crypto'
import { parse, stringify } from 'uuid'
import { type Keyring, keyedHash } from '../encryption/envelope-encryption.ts'
import { imageUrl } from './image-link.ts'

/** What the link of an image for a driver names. */
type DriverImage = { driverId: string; imageId: string }

const ID_BYTES = 16
const LINK_BYTES = 2 * ID_BYTES + 32
/** The names of such links, without their ending: longer than those of other images. */
export const DRIVER_LINK = /^[A-Za-z0-9_-]{86}$/

const sign = (keyring: Keyring, ids: Buffer): Buffer => keyedHash(keyring, 'driver image', ids.toString('base64url'))

/**
 * Returns the path of an image for one driver of the vehicle. Others' links stay valid as long as the image: this one ends with
 * the driver, so that a former driver does not see the images of links they kept (decision vehicle-people).
 */
export function driverImageUrl(
  keyring: Keyring,
  driverId: string,
  { image_id }: { image_id: string | null },
): string | null {
  if (image_id === null) return null
  const ids = Buffer.concat([parse(driverId), parse(image_id)])
  return imageUrl(Buffer.concat([ids, sign(keyring, ids)]).toString('base64url'))
}

/** Reads such a link. Returns null when it was not made here. */
export function readDriverLink(keyring: Keyring, link: string): DriverImage | null {
  const bytes = Buffer.from(link, 'base64url')
  if (bytes.length !== LINK_BYTES) return null
  const [ids, signature] = [bytes.subarray(0, 2 * ID_BYTES), bytes.subarray(2 * ID_BYTES)]
  if (!timingSafeEqual(signature, sign(keyring, ids))) return null
  return { driverId: stringify(ids.subarray(0, ID_BYTES)), imageId: stringify(ids.subarray(ID_BYTES)) }
}
