import { newId } from '../db/ids.ts'
import type { Db } from '../db/pool.ts'
import { type Device, insertSession } from './queries.ts'
import { type Amr, hashOf, newSecret } from './tokens.ts'
import type { OpenSession } from './user-json.ts'

type Opening = {
  userId: string
  method: Amr[number]['method']
  device: Device
  /** The link it comes from, while that is not used up. */
  linkRequestId?: string
  /** The stored hash that was just checked. */
  password?: string
}

/** Opens a session; null when the password that opened it is not the account's any more. */
export async function openSession(
  db: Db,
  { userId, method, device, linkRequestId, password }: Opening,
): Promise<OpenSession | null> {
  const id = newId()
  const amr: Amr = [{ method, timestamp: Math.floor(Date.now() / 1000) }]
  const refreshToken = newSecret()
  const session = { id, user_id: userId, amr, link_request_id: linkRequestId ?? null, ...device }
  const user = await insertSession(db, session, hashOf(refreshToken), password)
  return user ? { id, amr, refreshToken, user } : null
}
