import type { Db } from '../db/pool.ts'
import { inTransaction } from '../db/transaction.ts'
import type { AuthContext } from './context.ts'
import type { IssuedSession } from './create-session.ts'
import { type AuthErrorCode, fail } from './errors.ts'
import { revokeLinks } from './link-queries.ts'
import {
  deleteSessions,
  findSessionByToken,
  findTokenState,
  lockSession,
  markSessionUsed,
  rotateRefreshToken,
  type TokenState,
} from './session-queries.ts'
import { type AuthKeys, deriveDescendantHashes, deriveNextRefreshToken, hashSecret, rederiveNewest } from './tokens.ts'
import { isBanned, lockUser } from './user-queries.ts'

type Outcome = { state: 'open'; session: IssuedSession } | { state: 'refused'; code: AuthErrorCode }

/** How many refreshes can lie between a token and the newest one within the reuse interval … */
const REUSE_STEPS_MAX = 32
/** … and between a token that was deleted and one that is stored: a month of hourly refreshes. */
const PURGED_STEPS_MAX = 30 * 24

/**
 * Exchanges a refresh token (auth-protocol §1.3). Each is exchanged once. The newest token is returned again to a
 * client that presents its parent (a response was lost, tabs refreshed concurrently), and within the reuse interval to
 * one that presents an older token. Any other used token means that two parties share the session: it ends.
 *
 * A refusal is returned from the transaction, not thrown in it: the end of a stolen session must be committed.
 *
 * @throws AuthError `refresh_token_not_found`, `refresh_token_already_used`, `session_expired`, `user_banned`
 */
export async function refreshSession({ config, db, keys }: AuthContext, token: string): Promise<IssuedSession> {
  const hash = hashSecret(token)
  const outcome = await inTransaction(db, async (tx): Promise<Outcome> => {
    const owner = await findSessionByToken(tx, [hash])
    if (!owner) return handleUnknownToken(tx, keys, token)
    const user = await lockUser(tx, owner.user_id)
    const session = await lockSession(tx, owner.id)
    const state = session && (await findTokenState(tx, session.id, hash, config.AUTH_REUSE_INTERVAL_S))
    if (!user || !session || !state) return { state: 'refused', code: 'refresh_token_not_found' }
    if (session.idle) return { state: 'refused', code: 'session_expired' }
    if (isBanned(user)) return { state: 'refused', code: 'user_banned' }
    const refreshToken = state.used ? reissue(keys, token, state) : await rotate(tx, keys, token, session.id)
    if (refreshToken === null) {
      await deleteSessions(tx, user.id, session.id, 'local')
      return { state: 'refused', code: 'refresh_token_already_used' }
    }
    if (session.link_request_id !== null && (await markSessionUsed(tx, session.id))) await revokeLinks(tx, user.id)
    return { state: 'open', session: { id: session.id, amr: session.amr, refreshToken, user } }
  })
  return outcome.state === 'open' ? outcome.session : fail(outcome.code)
}

/**
 * Handles a token that is not stored: either it never was, or it was used so long ago that the cleanup deleted it. The
 * latter is recognized by its descendants and is a theft like any other used token.
 */
async function handleUnknownToken(tx: Db, keys: AuthKeys, token: string): Promise<Outcome> {
  const owner = await findSessionByToken(tx, deriveDescendantHashes(keys, token, PURGED_STEPS_MAX))
  if (!owner) return { state: 'refused', code: 'refresh_token_not_found' }
  await deleteSessions(tx, owner.user_id, owner.id, 'local')
  return { state: 'refused', code: 'refresh_token_already_used' }
}

async function rotate(tx: Db, keys: AuthKeys, token: string, sessionId: string): Promise<string> {
  const child = deriveNextRefreshToken(keys, token)
  await rotateRefreshToken(tx, sessionId, hashSecret(token), hashSecret(child))
  return child
}

/** Returns the newest token again for a used one that may still have it, otherwise null. */
const reissue = (keys: AuthKeys, token: string, { newest, used_recently }: TokenState) =>
  rederiveNewest(keys, token, newest, used_recently ? REUSE_STEPS_MAX : 1)
