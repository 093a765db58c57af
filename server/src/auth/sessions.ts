import { FRESH_SESSION_S } from '#contract/profile.ts'
import type { AppContext } from '../context.ts'
import { newId } from '../db/ids.ts'
import type { Db } from '../db/pool.ts'
import { inTransaction } from '../db/transaction.ts'
import { markReachable } from '../email/returned-mails.ts'
import type { Keyring } from '../encryption/envelope-encryption.ts'
import { generateSecret, hashSecret } from '../encryption/secrets.ts'
import type { Actor } from '../http/actor.ts'
import { refuse } from '../refusal.ts'
import { queueNotice } from './account-notices.ts'
import { type AuthErrorCode, fail } from './errors.ts'
import { recordSessionStart } from './events.ts'
import { deleteLinks, deleteSignUps, reserveSignUps, takeSessionLink } from './link-queries.ts'
import {
  type ClientInfo,
  deleteSessions,
  endLongestUnusedSessions,
  findNewestTokenHash,
  findSessionAmr,
  findSessionByToken,
  findTokenState,
  insertSession,
  lockSession,
  rotateRefreshToken,
  type SessionRow,
  type TokenState,
} from './session-queries.ts'
import {
  type Amr,
  type AuthKeys,
  deriveDescendantHashes,
  deriveNextRefreshToken,
  isRecentlyAuthenticated,
  rederiveNewest,
} from './tokens.ts'
import { lockUser, markSignedIn, type UserRow } from './user-queries.ts'

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
 * Creates a session; of more than 50 of the account, the longest unused end. One that comes from a link which is not consumed
 * is no sign-in yet (see `spendLink`). Returns null when the account's password has changed since it was verified.
 */
export async function createSession(
  tx: Db,
  keyring: Keyring,
  { userId, method, clientInfo, linkRequestId, passwordHash }: SessionInput,
): Promise<IssuedSession | null> {
  const id = newId()
  const amr: Amr = [{ method, timestamp: Math.floor(Date.now() / 1000) }]
  const refreshToken = generateSecret()
  const session = { id, user_id: userId, amr, link_request_id: linkRequestId ?? null, ...clientInfo }
  const user = await insertSession(tx, session, hashSecret(refreshToken), passwordHash)
  if (!user) return null
  if (linkRequestId === undefined)
    await beginSession(tx, keyring, userId, id, method === 'otp' ? 'link_used' : 'sign_in')
  return { id, amr, generation: 0, refreshToken, user }
}

/** Counts a session as one of the account's, and records it as a sign-in. */
async function beginSession(tx: Db, keyring: Keyring, userId: string, id: string, type: 'sign_in' | 'link_used') {
  await endLongestUnusedSessions(tx, userId)
  await recordSessionStart(tx, keyring, id, type)
}

/**
 * Spends the link a session came from, when the session is first used: to open a link proves nothing, because mail
 * scanners open links too. Confirms the address, without a password: who uses the link has the mailbox, but need not
 * have made a sign-up, whose password, consent and metadata stay with it (decision mailed-links). For a while this session may still
 * claim one (see `keepSignUpPassword`). Revokes all other links of the account.
 * Does nothing for a session from no link, or used before.
 *
 * @param user the account, which the caller has locked
 * @returns the account as it is now
 */
export async function spendLink(
  { keyring }: Pick<AppContext, 'keyring'>,
  tx: Db,
  user: UserRow,
  sessionId: string,
): Promise<UserRow> {
  const link = await takeSessionLink(tx, sessionId)
  if (!link) return user
  if (link.purpose === 'signup') await reserveSignUps(tx, user.id, sessionId)
  else await deleteSignUps(tx, user.id)
  await deleteLinks(tx, user.id)
  await markReachable(tx, user.id)
  await beginSession(tx, keyring, user.id, sessionId, 'link_used')
  return markSignedIn(tx, user.id)
}

/**
 * Refuses with `sign_in_again` a session that did not begin recently, by password or link: an unattended browser must
 * neither reveal everything nor delete it.
 */
export async function assertFreshSession(db: Db, { sessionId }: Actor): Promise<void> {
  const amr = await findSessionAmr(db, sessionId)
  // every session has an entry: this one ended, or its account was deleted, while the request was on its way
  if (amr.length === 0) refuse('session_ended')
  if (!isRecentlyAuthenticated(amr, FRESH_SESSION_S)) refuse('sign_in_again')
}

type Outcome = { state: 'open'; session: IssuedSession } | { state: 'refused'; code: AuthErrorCode }

/** For how long a used refresh token is still accepted, as tabs refresh at the same time, and how long one is kept before it is exchanged. */
type Exchange = { reuseIntervalS: number; keepS: number }
const AT_ONCE: Exchange = { reuseIntervalS: 10, keepS: 0 }
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
export async function refreshSession(
  auth: Pick<AppContext, 'config' | 'db' | 'keyring' | 'outbox'> & { keys: AuthKeys },
  token: string,
  { reuseIntervalS, keepS }: Exchange = AT_ONCE,
): Promise<IssuedSession> {
  const { db, keys, outbox } = auth
  const hash = hashSecret(token)
  const outcome = await inTransaction(db, async (tx): Promise<Outcome> => {
    const owner = await findSessionByToken(tx, [hash])
    if (!owner) return handleUnknownToken(tx, keys, token)
    const user = await lockUser(tx, owner.user_id)
    const session = await lockSession(tx, owner.id)
    const state = session && (await findTokenState(tx, session.id, hash, reuseIntervalS))
    if (!user || !session || !state) return { state: 'refused', code: 'refresh_token_not_found' }
    if (session.idle || (user.is_admin && session.admin_expired)) return { state: 'refused', code: 'session_expired' }
    const isKept = !state.used && state.age_s < keepS
    const renewed = isKept
      ? { refreshToken: token, generation: session.generation }
      : state.used
        ? reissue(keys, token, state, session)
        : await rotateSession(tx, keys, session.id)
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

/**
 * Ends a session of which two parties have the tokens, for both of them, and queues the email that notifies its owner. In the
 * transaction that noticed; after the commit: `outbox.wake()`.
 */
async function endStolenSession(tx: Db, userId: string, sessionId: string): Promise<void> {
  await deleteSessions(tx, userId, sessionId, 'local')
  await queueNotice(tx, userId, 'session_stolen', {}, sessionId) // one email, however often the old token is presented
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
