import { timingSafeEqual } from 'node:crypto'
import { parse, stringify } from 'uuid'
import { type Keyring, keyedHash } from './envelope-encryption.ts'

// Ids with a keyed hash of them, for links and addresses: nobody can make one of what stands in the database. They stay valid
// after the master key was changed.

const ID_BYTES = 16
/** So many bits nobody guesses. */
const MAC_BYTES = 16

const computeMac = (keyring: Keyring, purpose: string, content: Buffer, macBytes: number) =>
  keyedHash(keyring, purpose, content.toString('hex')).subarray(0, macBytes)

export const idsToBytes = (...ids: string[]): Buffer => Buffer.concat(ids.map((id) => parse(id)))

/** Returns the id that is the nth of some. */
export const idAt = (bytes: Buffer, n: number): string => stringify(bytes.subarray(n * ID_BYTES, (n + 1) * ID_BYTES))

/** Returns the content with its signature behind it. */
export const sign = (keyring: Keyring, purpose: string, content: Buffer, macBytes = MAC_BYTES): Buffer =>
  Buffer.concat([content, computeMac(keyring, purpose, content, macBytes)])

/** Returns the content of what was signed; null when this server did not sign it for this purpose. */
export function readSigned(keyring: Keyring, purpose: string, signed: Buffer, macBytes = MAC_BYTES): Buffer | null {
  if (signed.length <= macBytes) return null
  const content = signed.subarray(0, -macBytes)
  return timingSafeEqual(signed.subarray(-macBytes), computeMac(keyring, purpose, content, macBytes)) ? content : null
}

/** Returns the content, signed, in base64url without padding. */
export const createToken = (keyring: Keyring, purpose: string, content: Buffer): string =>
  sign(keyring, purpose, content).toString('base64url')

/** Returns the content of a token; null when this server did not make it for this purpose. */
export function readToken(keyring: Keyring, purpose: string, token: string): Buffer | null {
  const bytes = Buffer.from(token, 'base64url')
  return bytes.toString('base64url') === token ? readSigned(keyring, purpose, bytes) : null
}
