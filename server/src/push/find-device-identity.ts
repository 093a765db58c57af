import { findIdentities, isSessionIdle } from '../auth/session-queries.ts'
import type { Db } from '../db/pool.ts'
import type { DeviceSession } from './renewal-token.ts'

/**
 * Finds who acts from a device whose service worker calls without a session of its own. Null unless its session is good: it
 * ends with a sign-out, a suspension, and when it is not used for long.
 */
export async function findDeviceIdentity(db: Db, device: DeviceSession): Promise<{ personHash: Buffer } | null> {
  const [identity] = await findIdentities(db, [device])
  const isGood = identity?.session_exists && !identity.banned && !identity.suspended && !identity.admin_expired
  if (!isGood || identity.person_hash === null || (await isSessionIdle(db, device.sessionId))) return null
  return { personHash: identity.person_hash }
}
