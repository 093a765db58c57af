import type { Db } from '../db/pool.ts'
import { inTransaction } from '../db/transaction.ts'
import type { AuthContext } from './context.ts'
import type { IssuedSession } from './create-session.ts'
import { type AuthErrorCode, fail } from './errors.ts'
import {
  findNewestTokenHash,
  findSessionByToken,
  findTokenState,
  lockSession,
  rotateRefreshToken,
  type SessionRow,
  type TokenState,
} from './session-queries.ts'
import { spendLink } from './spend-link.ts'
import { endStolenSession } from './stolen-session.ts'
import { type AuthKeys, deriveDescendantHashes, deriveNextRefreshToken, hashSecret, rederiveNewest } from './tokens.ts'
import { lockUser } from './user-queries.ts'

type Outcome = { state: 'open'; session: IssuedSession } | { state: 'refused'; code: AuthErrorCode }

/** How many refreshes can lie between a token and the newest one within the reuse interval … */
const REUSE_STEPS_MAX = 32
/** … and between a token that was deleted and one that is stored: a month of hourly refreshes. */
const PURGED_STEPS_MAX = 30 * 24

/**
 * Exchanges a refresh token (auth-protocol §1.3). Each is exchanged once. The newest token is returned again to a
 * client that presents its parent until somebody has used the access token that came with the newest: until then the
 * response may have been lost. It is also returned within the reuse interval (tabs refreshed concurrently). Any other
 * used token means that two parties share the session: it ends, and its owner gets an email.
 *
 * A refusal is returned from the transaction, not thrown in it: the end of a stolen session must be committed.
 *
 * @throws AuthError `refresh_token_not_found`, `refresh_token_already_used`, `session_expired`
 */
export async function refreshSession(auth: AuthContext, token: string): Promise<IssuedSession> {
  const { config, db, keys, outbox } = auth
  const hash = hashSecret(token)
  const outcome = await inTransaction(db, async (tx): Promise<Outcome> => {
    const owner = await findSessionByToken(tx, [hash])
    if (!owner) return handleUnknownToken(tx, keys, token)
    const user = await lockUser(tx, owner.user_id)
    const session = await lockSession(tx, owner.id)
    const state = session && (await findTokenState(tx, session.id, hash, config.AUTH_REUSE_INTERVAL_S))
    if (!user || !session || !state) return { state: 'refused', code: 'refresh_token_not_found' }
    if (session.idle || (user.is_admin && session.admin_expired)) return { state: 'refused', code: 'session_expired' }
    const renewed = state.used ? reissue(keys, token, state, session) : await rotateSession(tx, keys, session.id)
    if (renewed === null) {
      await endStolenSession(tx, user.id, session.id)
      return { state: 'refused', code: 'refresh_token_already_used' }
    }
    const signedIn = session.link_request_id === null ? user : await spendLink(auth, tx, user, session.id)
    return { state: 'open', session: { id: session.id, amr: session.amr, user: signedIn, ...renewed } }
  })
  if (outcome.state === 'open') return outcome.session
  outbox.wake()
  return fail(outcome.code)
}

/**
 * Handles a token that is not stored: either it never was, or it was used so long ago that the cleanup deleted it. The
 * latter is recognized by its descendants and is a theft like any other used token.
 */
async function handleUnknownToken(tx: Db, keys: AuthKeys, token: string): Promise<Outcome> {
  const owner = await findSessionByToken(tx, deriveDescendantHashes(keys, token, PURGED_STEPS_MAX))
  if (!owner || !(await lockUser(tx, owner.user_id))) return { state: 'refused', code: 'refresh_token_not_found' }
  await endStolenSession(tx, owner.user_id, owner.id)
  return { state: 'refused', code: 'refresh_token_already_used' }
}

type RenewedTokens = Pick<IssuedSession, 'refreshToken' | 'generation'>

/** Exchanges a session's newest refresh token for the next one; the caller has locked the session. */
export async function rotateSession(tx: Db, keys: AuthKeys, sessionId: string): Promise<RenewedTokens> {
  const parentHash = await findNewestTokenHash(tx, sessionId)
  const refreshToken = deriveNextRefreshToken(keys, parentHash)
  return { refreshToken, generation: await rotateRefreshToken(tx, sessionId, parentHash, hashSecret(refreshToken)) }
}

/** Returns the newest token again for a used one that may still have it, otherwise null. */
function reissue(
  keys: AuthKeys,
  token: string,
  { newest, used_recently }: TokenState,
  { generation, received_generation }: SessionRow,
): RenewedTokens | null {
  // the client that made the last refresh has received its response
  if (!used_recently && received_generation >= generation) return null
  const refreshToken = rederiveNewest(keys, token, newest, used_recently ? REUSE_STEPS_MAX : 1)
  return refreshToken === null ? null : { refreshToken, generation }
}
