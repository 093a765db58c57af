import type { FastifyRequest } from 'fastify'
import { batcher } from '../db/batcher.ts'
import type { Pool } from '../db/pool.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Actor, Authenticate } from '../http/actor.ts'
import type { HolderOf } from '../http/request-limit.ts'
import { refuse } from '../refusal.ts'
import { endLinks } from './link-queries.ts'
import { findIdentities, type IdentityRow, lockUser, markSessionUsed } from './queries.ts'
import { type Claims, makeAuthKeys, makeTokenReader, type ReadToken } from './tokens.ts'

/** What a request's bearer turned out to be. */
export type BearerCheck =
  | { state: 'signed_in'; actor: Actor }
  | { state: 'none' }
  | { state: 'unreadable' }
  | { state: 'expired' }
  | { state: 'no_subject' }
  | { state: 'bad_subject' }
  | { state: 'user_gone' }
  | { state: 'session_gone' }
  | { state: 'banned' }

export type CheckBearer = (request: FastifyRequest) => Promise<BearerCheck>

const IDENTITIES_A_STATEMENT = 100

/** The token of an Authorization header (RFC 6750 §2.1; the scheme in any case). */
export function bearerOf(request: FastifyRequest): string | null {
  const header = request.headers.authorization
  if (header === undefined || header.slice(0, 7).toLowerCase() !== 'bearer ') return null
  return header.slice(7).trim() || null
}

/**
 * A session that came from a link uses the link up when it is first used, not before: a mail scanner that opens links
 * burns nothing. All other links of the account end too.
 */
const spendLink = (db: Pool, { userId, sessionId }: Claims) =>
  inTransaction(db, async (tx) => {
    await lockUser(tx, userId)
    if (await markSessionUsed(tx, sessionId)) await endLinks(tx, userId)
  })

/** Checks bearers against the database on every request; requests of the same moment share one statement. */
export function makeCheckBearer(db: Pool, readToken: ReadToken): CheckBearer {
  const find = batcher<Claims, IdentityRow>((claims) => findIdentities(db, claims), IDENTITIES_A_STATEMENT)

  return async (request) => {
    const token = bearerOf(request)
    if (token === null) return { state: 'none' }
    const reading = readToken(token, Date.now() / 1000)
    if (reading.state !== 'good') return reading
    const { userId, sessionId } = reading.claims
    const found = await find(reading.claims)
    if (!found.user_exists || found.email === null) return { state: 'user_gone' }
    if (!found.session_exists) return { state: 'session_gone' }
    if (found.banned) return { state: 'banned' }
    if (found.unused) await spendLink(db, reading.claims)
    const { email, email_confirmed, is_admin } = found
    return {
      state: 'signed_in',
      actor: { id: userId, sessionId, email, emailConfirmed: email_confirmed, isAdmin: is_admin },
    }
  }
}

/**
 * `authenticate` finds out who makes a request. It refuses with `signed_out` without a readable bearer, and with
 * `session_ended` when it was good once: expired, signed out, suspended or deleted. `holderOf` reads the token alone.
 */
export function makeAuthenticate({ db, jwtSecrets }: { db: Pool; jwtSecrets: string[] }): {
  authenticate: Authenticate
  holderOf: HolderOf
} {
  const readToken = makeTokenReader(makeAuthKeys(jwtSecrets))
  const check = makeCheckBearer(db, readToken)
  return {
    async authenticate(request) {
      const bearer = await check(request)
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
    holderOf(request) {
      const token = bearerOf(request)
      const reading = token === null ? null : readToken(token, Date.now() / 1000)
      return reading?.state === 'good' ? reading.claims.userId : null
    },
  }
}
