import type { Keyring } from '../encryption/envelope-encryption.ts'
import { createToken, idAt, idsToBytes, readToken } from '../encryption/signed-ids.ts'
import { DAY_S, SECOND_MS } from '../time.ts'

// What a device's service worker, which has no session of its own, calls with.

const ANSWER_IDS_BYTES = 32
/** A push service delivers no push that is older (`send-push.ts`), and an answer 'now' to an older one is none. */
const ANSWER_VALID_MS = DAY_S * SECOND_MS

/** The device, which is a session, and the message that it may answer. */
type AnswerClaim = { sessionId: string; messageId: string }

/**
 * Creates what a notification answers its message with. Its holder can answer 'coming' to this one message, once, while the
 * session of the device lasts, and nothing else.
 */
export function createAnswerToken(keyring: Keyring, { sessionId, messageId }: AnswerClaim, nowMs: number): string {
  const time = Buffer.alloc(4)
  time.writeUInt32BE(Math.floor(nowMs / SECOND_MS))
  return createToken(keyring, 'push-answer', Buffer.concat([idsToBytes(sessionId, messageId), time]))
}

/** Returns what a token is for; null when this server did not make it, or a day ago. */
export function readAnswerToken(keyring: Keyring, token: string, nowMs: number): AnswerClaim | null {
  const content = readToken(keyring, 'push-answer', token)
  if (!content || content.readUInt32BE(ANSWER_IDS_BYTES) * SECOND_MS + ANSWER_VALID_MS < nowMs) return null
  return { sessionId: idAt(content, 0), messageId: idAt(content, 1) }
}

/** The session of a device, and whose it is. */
type DeviceSession = { userId: string; sessionId: string }

/** Creates what a device gives its new address to us with. Once its session has ended it is worth nothing. */
export const createRenewalToken = (keyring: Keyring, { userId, sessionId }: DeviceSession): string =>
  createToken(keyring, 'push-renewal', idsToBytes(userId, sessionId))

/** Returns what a token is for; null when this server did not make it. */
export function readRenewalToken(keyring: Keyring, token: string): DeviceSession | null {
  const content = readToken(keyring, 'push-renewal', token)
  return content && { userId: idAt(content, 0), sessionId: idAt(content, 1) }
}
