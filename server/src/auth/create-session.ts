import { newId } from '../db/ids.ts'
import type { Db } from '../db/pool.ts'
import { type ClientInfo, endLongestUnusedSessions, insertSession } from './session-queries.ts'
import { type Amr, generateSecret, hashSecret } from './tokens.ts'
import type { UserRow } from './user-queries.ts'

/** A session that was just created or refreshed; `generation` is how often it was refreshed. */
export type IssuedSession = { id: string; amr: Amr; generation: number; refreshToken: string; user: UserRow }

type SessionInput = {
  userId: string
  method: Amr[number]['method']
  clientInfo: ClientInfo
  /** The link it comes from, unless that is already consumed. */
  linkRequestId?: string
  /** The stored hash that was just verified. */
  passwordHash?: string
}

/**
 * Creates a session; of more than 50 of the account, the longest unused end. Returns null when the account's password
 * has changed since it was verified.
 */
export async function createSession(
  db: Db,
  { userId, method, clientInfo, linkRequestId, passwordHash }: SessionInput,
): Promise<IssuedSession | null> {
  const id = newId()
  const amr: Amr = [{ method, timestamp: Math.floor(Date.now() / 1000) }]
  const refreshToken = generateSecret()
  const session = { id, user_id: userId, amr, link_request_id: linkRequestId ?? null, ...clientInfo }
  const user = await insertSession(db, session, hashSecret(refreshToken), passwordHash)
  if (!user) return null
  // a statement of its own, so that of concurrent sign-ins the last one sees all sessions
  if (linkRequestId === undefined) await endLongestUnusedSessions(db, userId)
  return { id, amr, generation: 0, refreshToken, user }
}
