import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { AppContext } from '../context.ts'
import { createBatcher } from '../db/batcher.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Actor, Authenticate } from '../http/actor.ts'
import { hashPerson } from '../limits/canonical-address.ts'
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

/** The result of checking a request's bearer token. */
type BearerResult =
  | { state: 'signed_in'; actor: Actor }
  | { state: 'none' }
  | { state: 'unreadable' }
  | { state: 'expired' }
  | { state: 'no_subject' }
  | { state: 'bad_subject' }
  | { state: 'user_gone' }
  /** `suspended`: its person is, which ended it. */
  | { state: 'session_gone'; suspended: boolean }

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

/** Creates a check of bearer tokens against the database; concurrent requests share one statement. */
export function createBearerChecker(context: BearerContext, verifyToken: TokenVerifier): BearerChecker {
  const { config, db, keyring } = context
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
    if (!identity.user_exists || identity.email === null) return { state: 'user_gone' }
    const gone = { state: 'session_gone', suspended: identity.suspended } as const
    if (!identity.session_exists) return gone
    if (identity.admin_expired) {
      await deleteSessions(db, userId, sessionId, 'local')
      return gone
    }
    if (identity.admin_use_due && !(await setSessionUsedNow(db, sessionId))) return gone
    // the first request with a refreshed token: the client that refreshed the session has received the response
    if (generation > identity.received_generation) await recordReceipt(db, sessionId, generation)
    const { email, person_hash, email_confirmed, suspended, is_admin, has_factor } = identity
    return {
      state: 'signed_in',
      actor: {
        id: userId,
        sessionId,
        email,
        // accounts from before persons were recorded are filled in soon after a start
        personHash: person_hash ?? hashPerson(keyring, email),
        emailConfirmed: email_confirmed,
        suspended,
        isAdmin: is_admin,
        hasFactor: has_factor,
        factorAgeS: aal2 ? identity.factor_age_s : null,
        adminNeedsFactor: has_factor || config.ADMIN_SECOND_FACTOR === 'required',
      },
    }
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
    async authenticate(request, { admitSuspended = false } = {}) {
      const bearer = await checkBearer(request)
      switch (bearer.state) {
        case 'signed_in':
          if (bearer.actor.suspended && !admitSuspended) refuse('suspended')
          if (bearer.actor.hasFactor && bearer.actor.factorAgeS === null) refuse('second_factor_required')
          return bearer.actor
        case 'none':
        case 'unreadable':
        case 'no_subject':
        case 'bad_subject':
          return refuse('signed_out')
        case 'session_gone':
          return refuse(bearer.suspended && !admitSuspended ? 'suspended' : 'session_ended')
        default:
          return refuse('session_ended')
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

/** Returns whether a request's bearer token is this key of ours (`SERVICE_KEY`, `SERVICE_ROLE_KEY`); never when it is not set. */
export function hasServiceKey(request: FastifyRequest, key: string | undefined): boolean {
  const token = readBearerToken(request)
  // compares digests, so that neither the time nor a length reveals how much of a guess was right
  return token !== null && key !== undefined && timingSafeEqual(digest(token), digest(key))
}
