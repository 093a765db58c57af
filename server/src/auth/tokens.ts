import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto'
import { isUuid } from '../db/ids.ts'
import { hashSecret } from '../encryption/secrets.ts'
import { HOUR_S } from '../time.ts'

export const ACCESS_TOKEN_S = HOUR_S

/** How a session began, in GoTrue's form of RFC 8176. `timestamp` is in Unix seconds. */
export type Amr = { method: 'password' | 'otp' | 'totp' | 'mfa/webauthn'; timestamp: number }[]

/**
 * Returns whether a session began at most so many seconds ago. Refreshing a session does not make it younger.
 *
 * @param method how it must have begun; either way if left out
 */
export const isRecentlyAuthenticated = (amr: Amr, maxAgeS: number, method?: Amr[number]['method']): boolean =>
  amr.some(
    (entry) => (method === undefined || entry.method === method) && entry.timestamp >= Date.now() / 1000 - maxAgeS,
  )

/** The claims this server reads in an access token; the account and the session are looked up by them. */
export type Claims = {
  userId: string
  sessionId: string
  /** How often the session had been refreshed when it was issued. */
  generation: number
  /** Whether it was issued after a second factor: an older token of the same session is worth no more than before. */
  aal2: boolean
}

type TokenVerification =
  | { state: 'good'; claims: Claims; expiresAtS: number }
  | { state: 'unreadable' }
  | { state: 'expired' }
  | { state: 'no_subject' }
  | { state: 'bad_subject' }

type Signer = { header: string; key: KeyObject }

/** The keys of the protocol, all derived from the signing secrets: the first signs, all verify. */
export type AuthKeys = { signers: Signer[]; refresh: KeyObject[] }

const deriveRefreshKey = (secret: string) =>
  createSecretKey(createHmac('sha256', secret).update('platenote refresh').digest())

const encodeSegment = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Derives the keys of tokens from the JWT secrets; the first secret signs, the others still verify. */
export function deriveAuthKeys(secrets: string[]): AuthKeys {
  const signers = secrets.map((secret) => {
    const kid = createHmac('sha256', secret).update('platenote kid').digest('hex').slice(0, 16)
    return { header: encodeSegment({ alg: 'HS256', typ: 'JWT', kid }), key: createSecretKey(secret, 'utf8') }
  })
  return { signers, refresh: secrets.map(deriveRefreshKey) }
}

const sign = (key: KeyObject, signed: string) => createHmac('sha256', key).update(signed).digest('base64url')

/** Signs an access token: a JWT (RFC 7519), with HS256 and the current key. */
export function signAccessToken({ signers }: AuthKeys, claims: Record<string, unknown>): string {
  const { header, key } = signers[0]!
  const signed = `${header}.${encodeSegment(claims)}`
  return `${signed}.${sign(key, signed)}`
}

/**
 * Verifies an access token, synchronously: WebCrypto would wait for a thread behind password hashes.
 *
 * The header is not interpreted but compared with those this server writes: that pins the algorithm and selects the
 * key.
 */
function verifyAccessToken({ signers }: AuthKeys, token: string, nowS: number): TokenVerification {
  const invalid = { state: 'unreadable' } as const
  const [header, payload, givenSignature, extra] = token.split('.')
  const signer = signers.find((s) => s.header === header)
  if (!signer || payload === undefined || givenSignature === undefined || extra !== undefined) return invalid
  const expected = Buffer.from(sign(signer.key, `${header}.${payload}`))
  const actual = Buffer.from(givenSignature)
  if (actual.length !== expected.length || !timingSafeEqual(actual, expected)) return invalid
  // this server signed it, so it is a JSON object
  const { exp, aud, sub, session_id, generation, aal } = JSON.parse(
    Buffer.from(payload, 'base64url').toString(),
  ) as Record<string, unknown>
  if (typeof exp !== 'number' || aud !== 'authenticated') return invalid
  if (exp <= nowS) return { state: 'expired' }
  if (sub === undefined || sub === '') return { state: 'no_subject' }
  if (!isUuid(sub)) return { state: 'bad_subject' }
  if (!isUuid(session_id)) return invalid
  const claims = {
    userId: sub,
    sessionId: session_id,
    generation: Number(generation),
    aal2: aal === 'aal2',
  }
  return { state: 'good', claims, expiresAtS: exp }
}

export type TokenVerifier = (token: string, nowS: number) => TokenVerification

/** A token comes with every request of its hour; each takes about 1 kB. */
const TOKEN_CACHE_MAX = 5_000

/**
 * Creates a verifier that caches tokens with a valid signature: verifying one costs as much as the rest of a request's
 * authentication. What a token says stays true until it expires; whether its session still exists is checked elsewhere.
 */
export function createTokenVerifier(keys: AuthKeys): TokenVerifier {
  const cache = new Map<string, TokenVerification & { state: 'good' }>()
  return (token, nowS) => {
    const cached = cache.get(token)
    if (cached) return nowS < cached.expiresAtS ? cached : { state: 'expired' }
    const verification = verifyAccessToken(keys, token, nowS)
    if (verification.state !== 'good') return verification
    const [oldest] = cache.keys()
    if (oldest !== undefined && cache.size >= TOKEN_CACHE_MAX) cache.delete(oldest)
    cache.set(token, verification)
    return verification
  }
}

const deriveChildToken = (key: KeyObject, parentHash: Buffer): string =>
  createHmac('sha256', key).update(parentHash).digest('base64url')

/**
 * Derives the refresh token that follows another, from its hash: that is all this server keeps of it, and a session that
 * is verified with a second factor gets a new one without showing the old. Not random, because a client that refreshes
 * twice with one token (concurrent tabs, a lost response) must get the same new token both times. Without the key it is
 * as good as random.
 */
export const deriveNextRefreshToken = ({ refresh }: AuthKeys, parentHash: Buffer): string =>
  deriveChildToken(refresh[0]!, parentHash)

/**
 * Yields the tokens that follow another one, by each key: the parent may have been used before the keys were changed.
 */
function* deriveDescendants({ refresh }: AuthKeys, token: string, maxSteps: number): Generator<string> {
  for (const key of refresh) {
    let child = token
    for (let step = 0; step < maxSteps; step++) {
      child = deriveChildToken(key, hashSecret(child))
      yield child
    }
  }
}

/** Derives a session's newest token again from one of its ancestors; null when it is more than `maxSteps` away. */
export function rederiveNewest(keys: AuthKeys, token: string, newest: Buffer, maxSteps: number): string | null {
  for (const child of deriveDescendants(keys, token, maxSteps)) if (hashSecret(child).equals(newest)) return child
  return null
}

/** Returns the hashes of the tokens that follow another one. */
export const deriveDescendantHashes = (keys: AuthKeys, token: string, maxSteps: number): Buffer[] =>
  [...deriveDescendants(keys, token, maxSteps)].map(hashSecret)
