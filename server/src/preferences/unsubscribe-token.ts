import { timingSafeEqual } from 'node:crypto'
import { paths } from '#contract/paths.ts'
import type { Config } from '../config.ts'
import { type Keyring, keyedHash } from '../encryption/envelope-encryption.ts'

const ID_BYTES = 16
const MAC_BYTES = 16
/** Id and MAC, in base64url without padding. */
const TOKEN_FORMAT = /^[A-Za-z0-9_-]{43}$/

const uuidToBytes = (userId: string) => Buffer.from(userId.replaceAll('-', ''), 'hex')
const computeMac = (keyring: Keyring, userId: string) =>
  keyedHash(keyring, 'unsubscribe', userId).subarray(0, MAC_BYTES)

/**
 * Builds the address where a person turns emails about new messages off without a session. It contains the account's id and a
 * keyed hash of it, and is valid as long as the account, also after the master key was changed. Its holder can turn these
 * emails off, and nothing else.
 */
export const buildUnsubscribeUrl = (
  keyring: Keyring,
  { PUBLIC_URL }: Pick<Config, 'PUBLIC_URL'>,
  userId: string,
): string =>
  PUBLIC_URL +
  paths.unsubscribe(Buffer.concat([uuidToBytes(userId), computeMac(keyring, userId)]).toString('base64url'))

/** Returns the account a token is for; null when this server did not make it. */
export function verifyUnsubscribeToken(keyring: Keyring, token: string): string | null {
  if (!TOKEN_FORMAT.test(token)) return null
  const bytes = Buffer.from(token, 'base64url')
  const userId = bytes.toString('hex', 0, ID_BYTES).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  return timingSafeEqual(bytes.subarray(ID_BYTES), computeMac(keyring, userId)) ? userId : null
}
