import { timingSafeEqual } from 'node:crypto'
import { type Keyring, keyedHash } from '../encryption/envelope-encryption.ts'
import { DAY_S, SECOND_MS } from '../time.ts'

// What a device's service worker, which has no session of its own, calls with. Nobody can make one of what stands in the database.

const UUID_BYTES = 16
const MAC_BYTES = 16
/** A push service delivers no push that is older (`send-push.ts`), and an answer 'now' to an older one is none. */
const ANSWER_VALID_MS = DAY_S * SECOND_MS

const toBytes = (uuid: string) => Buffer.from(uuid.replaceAll('-', ''), 'hex')

const toUuid = (bytes: Buffer) => bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

const computeMac = (keyring: Keyring, purpose: string, content: Buffer) =>
  keyedHash(keyring, purpose, content.toString('hex')).subarray(0, MAC_BYTES)

const createToken = (keyring: Keyring, purpose: string, content: Buffer) =>
  Buffer.concat([content, computeMac(keyring, purpose, content)]).toString('base64url')

/** Returns the content of a token in base64url without padding; null when this server did not make it for this purpose. */
function readToken(keyring: Keyring, purpose: string, token: string): Buffer | null {
  const bytes = Buffer.from(token, 'base64url')
  if (bytes.length < MAC_BYTES || bytes.toString('base64url') !== token) return null
  const content = bytes.subarray(0, -MAC_BYTES)
  return timingSafeEqual(bytes.subarray(-MAC_BYTES), computeMac(keyring, purpose, content)) ? content : null
}

/** The device, which is a session, and the message that it may answer. */
type AnswerClaim = { sessionId: string; messageId: string }

/**
 * Creates what a notification answers its message with. Its holder can answer 'coming' to this one message, once, while the
 * session of the device lasts, and nothing else.
 */
export function createAnswerToken(keyring: Keyring, { sessionId, messageId }: AnswerClaim, nowMs: number): string {
  const time = Buffer.alloc(4)
  time.writeUInt32BE(Math.floor(nowMs / SECOND_MS))
  return createToken(keyring, 'push-answer', Buffer.concat([toBytes(sessionId), toBytes(messageId), time]))
}

/** Returns what a token is for; null when this server did not make it, or a day ago. */
export function readAnswerToken(keyring: Keyring, token: string, nowMs: number): AnswerClaim | null {
  const content = readToken(keyring, 'push-answer', token)
  if (!content || content.readUInt32BE(2 * UUID_BYTES) * SECOND_MS + ANSWER_VALID_MS < nowMs) return null
  return {
    sessionId: toUuid(content.subarray(0, UUID_BYTES)),
    messageId: toUuid(content.subarray(UUID_BYTES, 2 * UUID_BYTES)),
  }
}

/** The session of a device, and whose it is. */
type DeviceSession = { userId: string; sessionId: string }

/** Creates what a device gives its new address to us with. Once its session has ended it is worth nothing. */
export const createRenewalToken = (keyring: Keyring, { userId, sessionId }: DeviceSession): string =>
  createToken(keyring, 'push-renewal', Buffer.concat([toBytes(userId), toBytes(sessionId)]))

/** Returns what a token is for; null when this server did not make it. */
export function readRenewalToken(keyring: Keyring, token: string): DeviceSession | null {
  const content = readToken(keyring, 'push-renewal', token)
  return content && { userId: toUuid(content.subarray(0, UUID_BYTES)), sessionId: toUuid(content.subarray(UUID_BYTES)) }
}
