import { newId } from '../db/ids.ts'
import type { Db } from '../db/pool.ts'
import { type ClientInfo, insertSession } from './session-queries.ts'
import { type Amr, generateSecret, hashSecret } from './tokens.ts'
import type { UserRow } from './user-queries.ts'

/** A session that was just created or refreshed. */
export type IssuedSession = { id: string; amr: Amr; refreshToken: string; user: UserRow }

type SessionInput = {
  userId: string
  method: Amr[number]['method']
  clientInfo: ClientInfo
  /** The link it comes from, unless that is already consumed. */
  linkRequestId?: string
  /** The stored hash that was just verified. */
  passwordHash?: string
}

/** Creates a session. Returns null when the account's password has changed since it was verified. */
export async function createSession(
  db: Db,
  { userId, method, clientInfo, linkRequestId, passwordHash }: SessionInput,
): Promise<IssuedSession | null> {
  const id = newId()
  const amr: Amr = [{ method, timestamp: Math.floor(Date.now() / 1000) }]
  const refreshToken = generateSecret()
  const session = { id, user_id: userId, amr, link_request_id: linkRequestId ?? null, ...clientInfo }
  const user = await insertSession(db, session, hashSecret(refreshToken), passwordHash)
  return user ? { id, amr, refreshToken, user } : null
}
