import { timingSafeEqual } from 'node:crypto'
import { findIdentities, isSessionIdle } from '../auth/session-queries.ts'
import type { Db } from '../db/pool.ts'
import { type Keyring, keyedHash } from '../encryption/envelope-encryption.ts'
import { toBytes, toUuid, UUID_BYTES } from './answer-token.ts'

const MAC_BYTES = 16
/** Two ids and a MAC, in base64url without padding. */
const TOKEN_FORMAT = /^[A-Za-z0-9_-]{64}$/

/** The session of a device, and whose it is. */
type DeviceSession = { userId: string; sessionId: string }

const computeMac = (keyring: Keyring, content: Buffer) =>
  keyedHash(keyring, 'push-renewal', content.toString('hex')).subarray(0, MAC_BYTES)

/**
 * Creates what the service worker of a device, which has no session of its own, gives the device's new address to us with. Once
 * the session has ended it is worth nothing. Nobody can make one of what stands in the database.
 */
export function createRenewalToken(keyring: Keyring, { userId, sessionId }: DeviceSession): string {
  const content = Buffer.concat([toBytes(userId), toBytes(sessionId)])
  return Buffer.concat([content, computeMac(keyring, content)]).toString('base64url')
}

/** Returns what a token is for; null when this server did not make it. */
export function readRenewalToken(keyring: Keyring, token: string): DeviceSession | null {
  if (!TOKEN_FORMAT.test(token)) return null
  const bytes = Buffer.from(token, 'base64url')
  const content = bytes.subarray(0, -MAC_BYTES)
  if (!timingSafeEqual(bytes.subarray(-MAC_BYTES), computeMac(keyring, content))) return null
  return { userId: toUuid(content.subarray(0, UUID_BYTES)), sessionId: toUuid(content.subarray(UUID_BYTES)) }
}

/**
 * Finds who acts from a device whose service worker calls without a session of its own. Null unless its session is good: it
 * ends with a sign-out, a suspension, and when it is not used for long.
 */
export async function findDeviceIdentity(db: Db, device: DeviceSession): Promise<{ personHash: Buffer } | null> {
  const [identity] = await findIdentities(db, [device])
  const isGood = identity?.session_exists && !identity.suspended && !identity.admin_expired
  if (!isGood || identity.person_hash === null || (await isSessionIdle(db, device.sessionId))) return null
  return { personHash: identity.person_hash }
}
