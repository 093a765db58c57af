import { timingSafeEqual } from 'node:crypto'
import { paths } from '#contract/paths.ts'
import type { Config } from '../config.ts'
import { type Keyring, keyedHash } from '../sealing/seal.ts'

const ID_BYTES = 16
const PROOF_BYTES = 16
/** Both, in base64url without padding. */
const TOKEN = /^[A-Za-z0-9_-]{43}$/

const idBytes = (userId: string) => Buffer.from(userId.replaceAll('-', ''), 'hex')
const proofOf = (keyring: Keyring, userId: string) => keyedHash(keyring, 'unsubscribe', userId).subarray(0, PROOF_BYTES)

/**
 * Where a person ends mails about new messages without a session. The link names the person by the account's id and
 * proves itself by a keyed hash of it; it stays good as long as the account, also after the master key was changed. Who
 * has it can switch these mails off, and nothing else.
 */
export const unsubscribeUrl = (keyring: Keyring, { PUBLIC_URL }: Pick<Config, 'PUBLIC_URL'>, userId: string): string =>
  PUBLIC_URL + paths.unsubscribe(Buffer.concat([idBytes(userId), proofOf(keyring, userId)]).toString('base64url'))

/** Whose link it is; null for everything this server has not made. */
export function unsubscriber(keyring: Keyring, token: string): string | null {
  if (!TOKEN.test(token)) return null
  const bytes = Buffer.from(token, 'base64url')
  const userId = bytes.toString('hex', 0, ID_BYTES).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  return timingSafeEqual(bytes.subarray(ID_BYTES), proofOf(keyring, userId)) ? userId : null
}
