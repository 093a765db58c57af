import { timingSafeEqual } from 'node:crypto'
import { paths } from '#contract/paths.ts'
import type { Config } from '../config.ts'
import { type Keyring, keyedHash } from '../encryption/envelope-encryption.ts'

const ID_BYTES = 16
const MAC_BYTES = 16
/** Both, in base64url without padding. */
const TOKEN_FORMAT = /^[A-Za-z0-9_-]{43}$/

const uuidToBytes = (userId: string) => Buffer.from(userId.replaceAll('-', ''), 'hex')
const computeMac = (keyring: Keyring, userId: string) =>
  keyedHash(keyring, 'unsubscribe', userId).subarray(0, MAC_BYTES)

/**
 * Where a person ends mails about new messages without a session. The link names the person by the account's id and
 * proves itself by a keyed hash of it; it stays good as long as the account, also after the master key was changed. Who
 * has it can switch these mails off, and nothing else.
 */
export const buildUnsubscribeUrl = (
  keyring: Keyring,
  { PUBLIC_URL }: Pick<Config, 'PUBLIC_URL'>,
  userId: string,
): string =>
  PUBLIC_URL +
  paths.unsubscribe(Buffer.concat([uuidToBytes(userId), computeMac(keyring, userId)]).toString('base64url'))

/** Whose link it is; null for everything this server has not made. */
export function verifyUnsubscribeToken(keyring: Keyring, token: string): string | null {
  if (!TOKEN_FORMAT.test(token)) return null
  const bytes = Buffer.from(token, 'base64url')
  const userId = bytes.toString('hex', 0, ID_BYTES).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  return timingSafeEqual(bytes.subarray(ID_BYTES), computeMac(keyring, userId)) ? userId : null
}
