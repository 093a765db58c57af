import { createHash, createHmac, createSecretKey, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto'

export const ACCESS_TOKEN_S = 3600

/** How a session began: GoTrue's shape of RFC 8176's idea. `timestamp` is in Unix seconds. */
export type Amr = { method: 'password' | 'otp'; timestamp: number }[]

/**
 * Tells whether a session began at most so many seconds ago. Refreshing a session does not make it younger.
 *
 * @param method how it must have begun; either way if left out
 */
export const isRecentlyAuthenticated = (amr: Amr, maxAgeS: number, method?: Amr[number]['method']): boolean =>
  amr.some(
    (entry) => (method === undefined || entry.method === method) && entry.timestamp >= Date.now() / 1000 - maxAgeS,
  )

/** What this server reads in an access token; the account and the session are looked up by it. */
export type Claims = { userId: string; sessionId: string }

export type TokenVerification =
  | { state: 'good'; claims: Claims; expiresAtS: number }
  | { state: 'unreadable' }
  | { state: 'expired' }
  | { state: 'no_subject' }
  | { state: 'bad_subject' }

type Signer = { header: string; key: KeyObject }

/** The keys of the protocol, all derived from the signing secrets; the first makes, all verify. */
export type AuthKeys = { signers: Signer[]; refresh: KeyObject[]; counters: KeyObject }

const deriveKey = (secret: string, purpose: string) =>
  createSecretKey(createHmac('sha256', secret).update(`platenote ${purpose}`).digest())

const encodeSegment = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

export function deriveAuthKeys(secrets: string[]): AuthKeys {
  const signers = secrets.map((secret) => {
    const kid = createHmac('sha256', secret).update('platenote kid').digest('hex').slice(0, 16)
    return { header: encodeSegment({ alg: 'HS256', typ: 'JWT', kid }), key: createSecretKey(secret, 'utf8') }
  })
  return {
    signers,
    refresh: secrets.map((secret) => deriveKey(secret, 'refresh')),
    counters: deriveKey(secrets[0] ?? '', 'counters'),
  }
}

const sign = (key: KeyObject, signed: string) => createHmac('sha256', key).update(signed).digest('base64url')

/** An access token: a JWT (RFC 7519) signed with HS256 by the current key. */
export function signAccessToken({ signers }: AuthKeys, claims: Record<string, unknown>): string {
  const { header, key } = signers[0]!
  const signed = `${header}.${encodeSegment(claims)}`
  return `${signed}.${sign(key, signed)}`
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
export const isUuid = (value: unknown): value is string => typeof value === 'string' && UUID.test(value)

/**
 * Verifies an access token, synchronously: WebCrypto would wait behind password hashes for a thread.
 *
 * A header is not interpreted but compared with those this server writes: it pins the algorithm and picks the key.
 */
export function verifyAccessToken({ signers }: AuthKeys, token: string, nowS: number): TokenVerification {
  const invalid = { state: 'unreadable' } as const
  const [header, payload, givenSignature, extra] = token.split('.')
  const signer = signers.find((s) => s.header === header)
  if (!signer || payload === undefined || givenSignature === undefined || extra !== undefined) return invalid
  const expected = Buffer.from(sign(signer.key, `${header}.${payload}`))
  const actual = Buffer.from(givenSignature)
  if (actual.length !== expected.length || !timingSafeEqual(actual, expected)) return invalid
  // what this server signed is an object in JSON
  const { exp, aud, sub, session_id } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<
    string,
    unknown
  >
  if (typeof exp !== 'number' || aud !== 'authenticated') return invalid
  if (exp <= nowS) return { state: 'expired' }
  if (sub === undefined || sub === '') return { state: 'no_subject' }
  if (!isUuid(sub)) return { state: 'bad_subject' }
  if (!isUuid(session_id)) return invalid
  return { state: 'good', claims: { userId: sub, sessionId: session_id }, expiresAtS: exp }
}

export type TokenVerifier = (token: string, nowS: number) => TokenVerification

/** A token comes with every request of its hour; about 1 kB is kept of each. */
const TOKEN_CACHE_MAX = 5_000

/**
 * Reads access tokens, and remembers those whose signature was good: the check costs as much as all else of a request's
 * authentication. What a token says stays true until it expires; whether its session still holds is asked elsewhere.
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

/** 32 random bytes in base64url: a refresh token, or the token of a link. */
export const generateSecret = (): string => randomBytes(32).toString('base64url')

/** Whether a text has the shape of what generateSecret makes. */
export const isSecret = (text: string): boolean => /^[A-Za-z0-9_-]{43}$/.test(text)

/** What is stored of a secret. It has 256 random bits, so a plain hash is enough. */
export const hashSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest()

/** What stands in a counter's key for an address or an IP. */
export const hashCounterKey = ({ counters }: AuthKeys, value: string): string =>
  createHmac('sha256', counters).update(value).digest('base64url').slice(0, 27)

const deriveChildToken = (key: KeyObject, parent: string): string =>
  createHmac('sha256', key).update(parent).digest('base64url')

/**
 * The refresh token that follows another. Derived, not random: only hashes are stored, and whoever refreshes with one
 * token twice (tabs at once, a lost answer) must get the same new token both times. Without the key it is as good as
 * random.
 */
export const deriveNextRefreshToken = ({ refresh }: AuthKeys, token: string): string =>
  deriveChildToken(refresh[0]!, token)

/**
 * The tokens that follow another one, by each key: the parent may have been used before the keys were changed.
 *
 * @param maxSteps steps
 */
function* deriveDescendants({ refresh }: AuthKeys, token: string, maxSteps: number): Generator<string> {
  for (const key of refresh) {
    let child = token
    for (let step = 0; step < maxSteps; step++) {
      child = deriveChildToken(key, child)
      yield child
    }
  }
}

/** A session's newest token, made again from one of its forebears, or null when that is further than `most` steps away. */
export function rederiveNewest(keys: AuthKeys, token: string, newest: Buffer, maxSteps: number): string | null {
  for (const child of deriveDescendants(keys, token, maxSteps)) if (hashSecret(child).equals(newest)) return child
  return null
}

/** The hashes of the tokens that follow another one. */
export const deriveDescendantHashes = (keys: AuthKeys, token: string, maxSteps: number): Buffer[] =>
  [...deriveDescendants(keys, token, maxSteps)].map(hashSecret)
