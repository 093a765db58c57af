import type { FastifyRequest } from 'fastify'
import { createBatcher } from '../db/batcher.ts'
import type { Pool } from '../db/pool.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Actor, Authenticate } from '../http/actor.ts'
import type { GetTokenOwner } from '../limits/request-limit-hook.ts'
import { refuse } from '../refusal.ts'
import { revokeLinks } from './link-queries.ts'
import { findIdentities, type IdentityRow, markSessionUsed } from './session-queries.ts'
import { type Claims, createTokenVerifier, deriveAuthKeys, type TokenVerifier } from './tokens.ts'
import { lockUser } from './user-queries.ts'

/** The result of checking a request's bearer token. */
export type BearerResult =
  | { state: 'signed_in'; actor: Actor }
  | { state: 'none' }
  | { state: 'unreadable' }
  | { state: 'expired' }
  | { state: 'no_subject' }
  | { state: 'bad_subject' }
  | { state: 'user_gone' }
  | { state: 'session_gone' }
  | { state: 'banned' }

export type BearerChecker = (request: FastifyRequest) => Promise<BearerResult>

const IDENTITIES_PER_STATEMENT = 100

/** Reads the token of an Authorization header (RFC 6750 §2.1); the scheme may be in any case. */
export function readBearerToken(request: FastifyRequest): string | null {
  const header = request.headers.authorization
  if (header === undefined || header.slice(0, 7).toLowerCase() !== 'bearer ') return null
  return header.slice(7).trim() || null
}

/**
 * Consumes the link a session came from when the session is first used, not before: a mail scanner that opens links
 * must not consume them. Revokes all other links of the account too.
 */
const consumeLink = (db: Pool, { userId, sessionId }: Claims) =>
  inTransaction(db, async (tx) => {
    await lockUser(tx, userId)
    if (await markSessionUsed(tx, sessionId)) await revokeLinks(tx, userId)
  })

/** Creates a check of bearer tokens against the database; concurrent requests share one statement. */
export function createBearerChecker(db: Pool, verifyToken: TokenVerifier): BearerChecker {
  const findIdentity = createBatcher<Claims, IdentityRow>(
    (claims) => findIdentities(db, claims),
    IDENTITIES_PER_STATEMENT,
  )

  return async (request) => {
    const token = readBearerToken(request)
    if (token === null) return { state: 'none' }
    const verification = verifyToken(token, Date.now() / 1000)
    if (verification.state !== 'good') return verification
    const { userId, sessionId } = verification.claims
    const identity = await findIdentity(verification.claims)
    if (!identity.user_exists || identity.email === null) return { state: 'user_gone' }
    if (!identity.session_exists) return { state: 'session_gone' }
    if (identity.banned) return { state: 'banned' }
    if (identity.unused) await consumeLink(db, verification.claims)
    const { email, email_confirmed, is_admin } = identity
    return {
      state: 'signed_in',
      actor: { id: userId, sessionId, email, emailConfirmed: email_confirmed, isAdmin: is_admin },
    }
  }
}

/**
 * Creates the two ways to identify a caller. `authenticate` refuses with `signed_out` when there is no readable token,
 * and with `session_ended` when it was valid once: expired, signed out, banned or deleted. `getTokenOwner` only reads
 * the token, without the database.
 */
export function createAuthenticator({ db, jwtSecrets }: { db: Pool; jwtSecrets: string[] }): {
  authenticate: Authenticate
  getTokenOwner: GetTokenOwner
} {
  const verifyToken = createTokenVerifier(deriveAuthKeys(jwtSecrets))
  const checkBearer = createBearerChecker(db, verifyToken)
  return {
    async authenticate(request) {
      const bearer = await checkBearer(request)
      switch (bearer.state) {
        case 'signed_in':
          return bearer.actor
        case 'none':
        case 'unreadable':
        case 'no_subject':
        case 'bad_subject':
          return refuse('signed_out')
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
