import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { AppContext } from '../context.ts'
import { createBatcher } from '../db/batcher.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Actor, Authenticate, AuthenticateOptions } from '../http/actor.ts'
import type { GetTokenOwner } from '../limits/request-limit-hook.ts'
import { refuse } from '../refusal.ts'
import {
  deleteSessions,
  findIdentities,
  type IdentityRow,
  recordReceipt,
  setSessionUsedNow,
} from './session-queries.ts'
import { spendLink } from './sessions.ts'
import { type Claims, createTokenVerifier, deriveAuthKeys, type TokenVerifier } from './tokens.ts'
import { lockUser } from './user-queries.ts'

/** What a session is at this moment. */
type SessionResult =
  | { state: 'signed_in'; actor: Actor }
  | { state: 'user_gone' }
  /** `suspended`: its person is, which ended it. */
  | { state: 'session_gone'; suspended: boolean }

/** The result of checking a request's bearer token. */
type BearerResult =
  | SessionResult
  | { state: 'none' }
  | { state: 'unreadable' }
  | { state: 'expired' }
  | { state: 'no_subject' }
  | { state: 'bad_subject' }

/** What a check of bearer tokens needs. */
type BearerContext = Pick<AppContext, 'config' | 'db' | 'keyring'>

/**
 * What a request does with a session that came from a link: `use` spends the link, `look` does not. Only what the page of a
 * link calls before anybody has decided anything is a look: a scanner that runs scripts does as much.
 */
export type LinkUse = 'use' | 'look'

export type BearerChecker = (request: FastifyRequest, linkUse?: LinkUse) => Promise<BearerResult>

const IDENTITIES_PER_STATEMENT = 100

/** Reads the token of an Authorization header (RFC 6750 §2.1); the scheme may be in any case. */
function readBearerToken(request: FastifyRequest): string | null {
  const header = request.headers.authorization
  if (header === undefined || header.slice(0, 7).toLowerCase() !== 'bearer ') return null
  return header.slice(7).trim() || null
}

/** Spends the link a session came from; see `spendLink`. */
const spendSessionLink = (context: BearerContext, { userId, sessionId }: Claims) =>
  inTransaction(context.db, async (tx) => {
    const user = await lockUser(tx, userId)
    if (user) await spendLink(context, tx, user, sessionId)
  })

/** @param isVerified whether a second factor of the session counts for whoever calls */
function toSessionResult(
  { config }: BearerContext,
  { userId, sessionId }: Pick<Claims, 'userId' | 'sessionId'>,
  identity: IdentityRow,
  isVerified: boolean,
): SessionResult {
  const { email, person_hash, email_confirmed, suspended, is_admin, has_factor } = identity
  if (!identity.user_exists || email === null || person_hash === null) return { state: 'user_gone' }
  if (!identity.session_exists || identity.admin_expired) return { state: 'session_gone', suspended }
  return {
    state: 'signed_in',
    actor: {
      id: userId,
      sessionId,
      email,
      personHash: person_hash,
      emailConfirmed: email_confirmed,
      suspended,
      isAdmin: is_admin,
      hasFactor: has_factor,
      factorAgeS: isVerified ? identity.factor_age_s : null,
      adminNeedsFactor: has_factor || config.ADMIN_SECOND_FACTOR === 'required',
    },
  }
}

/**
 * Returns the actor of a session that may get what is its person's, or why it may not. The one rule for all that leaves the server
 * for somebody: the answers of calls, live streams, pushes, and what a service worker asks for in the name of its device.
 */
function judge(
  session: SessionResult,
  { admitSuspended = false }: AuthenticateOptions = {},
): Actor | 'suspended' | 'session_ended' | 'second_factor_required' {
  if (session.state === 'user_gone') return 'session_ended'
  const suspended = session.state === 'signed_in' ? session.actor.suspended : session.suspended
  if (suspended && !admitSuspended) return 'suspended'
  if (session.state === 'session_gone') return 'session_ended'
  const { actor } = session
  return actor.hasFactor && actor.factorAgeS === null ? 'second_factor_required' : actor
}

/**
 * Finds who acts from the device of a session, or gets pushes there, without a token of the session; null when a call of the session
 * would be refused.
 */
export async function findDeviceActor(
  context: BearerContext,
  device: Pick<Claims, 'userId' | 'sessionId'>,
): Promise<Actor | null> {
  const [identity] = await findIdentities(context.db, [device])
  const judged = judge(toSessionResult(context, device, identity!, true)) // one row for each that is asked for
  return typeof judged === 'string' ? null : judged
}

/** Creates a check of bearer tokens against the database; concurrent requests share one statement. */
export function createBearerChecker(context: BearerContext, verifyToken: TokenVerifier): BearerChecker {
  const { db } = context
  const findIdentity = createBatcher<Claims, IdentityRow>(
    (claims) => findIdentities(db, claims),
    IDENTITIES_PER_STATEMENT,
  )

  return async (request, linkUse = 'use') => {
    const token = readBearerToken(request)
    if (token === null) return { state: 'none' }
    const verification = verifyToken(token, Date.now() / 1000)
    if (verification.state !== 'good') return verification
    const { userId, sessionId, generation, aal2 } = verification.claims
    let identity = await findIdentity(verification.claims)
    if (identity.unused && linkUse === 'use') {
      await spendSessionLink(context, verification.claims)
      identity = await findIdentity(verification.claims)
    }
    const session = toSessionResult(context, verification.claims, identity, aal2)
    if (identity.admin_expired) await deleteSessions(db, userId, sessionId, 'local')
    if (session.state !== 'signed_in') return session
    if (identity.admin_use_due && !(await setSessionUsedNow(db, sessionId)))
      return { state: 'session_gone', suspended: identity.suspended }
    // the first request with a refreshed token: the client that refreshed the session has received the response
    if (generation > identity.received_generation) await recordReceipt(db, sessionId, generation)
    return session
  }
}

/**
 * Creates the two ways to identify a caller. `authenticate` refuses with `signed_out` when there is no readable token,
 * with `session_ended` when it was valid once: expired, signed out or deleted, with `suspended` while the person is, and
 * with `second_factor_required` until the session of an account with a second factor was verified with it. Where suspended
 * people are admitted they need a session as everybody does: a suspension ends those from before. `getTokenOwner` only
 * reads the token, without the database.
 */
export function createAuthenticator(context: BearerContext & Pick<AppContext, 'jwtSecrets'>): {
  authenticate: Authenticate
  getTokenOwner: GetTokenOwner
} {
  const verifyToken = createTokenVerifier(deriveAuthKeys(context.jwtSecrets))
  const checkBearer = createBearerChecker(context, verifyToken)
  return {
    async authenticate(request, options) {
      const bearer = await checkBearer(request)
      switch (bearer.state) {
        case 'none':
        case 'unreadable':
        case 'no_subject':
        case 'bad_subject':
          return refuse('signed_out')
        case 'expired':
          return refuse('session_ended')
        default: {
          const judged = judge(bearer, options)
          return typeof judged === 'string' ? refuse(judged) : judged
        }
      }
    },
    getTokenOwner(request) {
      const token = readBearerToken(request)
      const verification = token === null ? null : verifyToken(token, Date.now() / 1000)
      return verification?.state === 'good' ? verification.claims.userId : null
    },
  }
}

const digest = (text: string) => createHash('sha256').update(text).digest()

/** Returns whether a request's bearer token is this key of ours (`SERVICE_KEY`, `INBOUND_MAIL_SECRET`); never when it is not set. */
export function hasServiceKey(request: FastifyRequest, key: string | undefined): boolean {
  const token = readBearerToken(request)
  // compares digests, so that neither the time nor a length reveals how much of a guess was right
  return token !== null && key !== undefined && timingSafeEqual(digest(token), digest(key))
}
