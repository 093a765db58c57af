import { timingSafeEqual } from 'node:crypto'
import { type Keyring, keyedHash } from '../encryption/envelope-encryption.ts'
import { DAY_S, SECOND_MS } from '../time.ts'

export const UUID_BYTES = 16

/** Returns the bytes of a UUID. */
export const toBytes = (uuid: string): Buffer => Buffer.from(uuid.replaceAll('-', ''), 'hex')

/** Returns the UUID of 16 bytes. */
export const toUuid = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

/** A push service delivers no push that is older (`send-push.ts`), and an answer 'now' to an older one is none. */
const VALID_MS = DAY_S * SECOND_MS
const TIME_BYTES = 4
const MAC_BYTES = 16
/** Two ids, a time and a MAC, in base64url without padding. */
const TOKEN_FORMAT = /^[A-Za-z0-9_-]{70}$/

/** The device, which is a session, and the message that it may answer. */
type AnswerClaim = { sessionId: string; messageId: string }

const computeMac = (keyring: Keyring, content: Buffer) =>
  keyedHash(keyring, 'push-answer', content.toString('hex')).subarray(0, MAC_BYTES)

/**
 * Creates what a notification answers its message with, for a service worker that has no session of its own. Its holder can
 * answer 'coming' to this one message, once, while the session of the device lasts, and nothing else.
 */
export function createAnswerToken(keyring: Keyring, { sessionId, messageId }: AnswerClaim, nowMs: number): string {
  const time = Buffer.alloc(TIME_BYTES)
  time.writeUInt32BE(Math.floor(nowMs / SECOND_MS))
  const content = Buffer.concat([toBytes(sessionId), toBytes(messageId), time])
  return Buffer.concat([content, computeMac(keyring, content)]).toString('base64url')
}

/** Returns what a token is for; null when this server did not make it, or a day ago. */
export function readAnswerToken(keyring: Keyring, token: string, nowMs: number): AnswerClaim | null {
  if (!TOKEN_FORMAT.test(token)) return null
  const bytes = Buffer.from(token, 'base64url')
  const content = bytes.subarray(0, -MAC_BYTES)
  if (!timingSafeEqual(bytes.subarray(-MAC_BYTES), computeMac(keyring, content))) return null
  if (content.readUInt32BE(2 * UUID_BYTES) * SECOND_MS + VALID_MS < nowMs) return null
  return {
    sessionId: toUuid(content.subarray(0, UUID_BYTES)),
    messageId: toUuid(content.subarray(UUID_BYTES, 2 * UUID_BYTES)),
  }
}
