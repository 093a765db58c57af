import {
  AuthApiError,
  AuthClient,
  type AuthError,
  AuthInvalidJwtError,
  AuthRetryableFetchError,
  isAuthRefreshDiscardedError,
  isAuthRetryableFetchError,
  isAuthSessionMissingError,
  type Session,
  type User,
} from '@supabase/auth-js'
import { SECOND_MS } from '#contract/time.ts'
import { setDraftOwner } from '~/lib/form/drafts'
import { getLocale } from '~/lib/i18n/i18n'
import { browserStore, MemoryStorage, SESSION_KEY } from '~/lib/page/storage'
import '~/lib/page/without-storage'
import { endFormerSubscription } from '~/lib/push/push-subscription'
import { parseRetryAfter } from '~/lib/time/timeout'
import { broadcast, getStoredSession, readClaims } from './stored-session.ts'

export { isAuthRetryableFetchError, isAuthSessionMissingError }

/**
 * The one auth client of the tab, loaded when it is needed (session.ts). `detectSessionInUrl` is off: /verify-email and
 * /reset-password read the fragment themselves, so that tokens are checked before they are stored (decision mailed-links).
 * A `.client` module is empty during prerendering: use it in handlers, effects and clientLoaders only.
 */
export const auth = new AuthClient({
  url: `${location.origin}/auth/v1`,
  storage: browserStore,
  storageKey: SESSION_KEY,
  flowType: 'implicit',
  autoRefreshToken: true,
  persistSession: true,
  detectSessionInUrl: false,
  fetch: fetchAuth,
})

let transientClients = 0

/** Creates another client, whose session is never stored: for links from emails, whose tokens are checked first. */
export const createTransientAuth = (session?: Session) => {
  const storageKey = `${SESSION_KEY}-unstored-${++transientClients}` // auth-js warns of two under one key
  return new AuthClient({
    url: `${location.origin}/auth/v1`,
    storageKey,
    flowType: 'implicit',
    autoRefreshToken: false,
    persistSession: true,
    storage: new MemoryStorage(session && [[storageKey, JSON.stringify(session)]]),
    detectSessionInUrl: false,
    fetch: fetchAuth,
  })
}

/** The protocol's codes for tokens that are none; here nobody typed them, so they are a damaged link. */
const MALFORMED_CODES: (string | undefined)[] = ['validation_failed', 'bad_json']

/**
 * Opens the session of a link in a client of its own. A damaged link is an `AuthInvalidJwtError`. The server says whether the
 * access token has expired: `setSession` of auth-js would ask the clock of this device.
 */
export async function openTransientSession(tokens: { accessToken: string; refreshToken: string }) {
  const client = createTransientAuth()
  const { data, error } = await client.getUser(tokens.accessToken)
  if (data.user) {
    const session = startSession(tokens, data.user)
    return { client: createTransientAuth(session), session, error: null } as const
  }
  if (isAuthRetryableFetchError(error)) return { client, session: null, error } as const
  const renewed = await client.refreshSession({ refresh_token: tokens.refreshToken })
  if (renewed.data.session) return { client, session: renewed.data.session, error: null } as const
  const isRefused = renewed.error && !MALFORMED_CODES.includes(renewed.error.code)
  return { client, session: null, error: isRefused ? renewed.error : new AuthInvalidJwtError('damaged link') } as const
}

function startSession(tokens: { accessToken: string; refreshToken: string }, user: User): Session {
  const { exp = 0, iat = 0 } = readClaims(tokens.accessToken)
  return {
    access_token: tokens.accessToken,
    refresh_token: tokens.refreshToken,
    token_type: 'bearer',
    expires_in: exp - iat,
    expires_at: Math.round(Date.now() / SECOND_MS) + exp - iat,
    user,
  }
}

/** Signs in with a session that another client has just been given, in every tab. */
export function adoptSession(session: Session): void {
  browserStore.setItem(SESSION_KEY, JSON.stringify(session))
  broadcast(SESSION_KEY, { event: 'SIGNED_IN', session })
}

/** Asks what there is to decide about the password of the account of a link (`GET /signup/password`, decision mailed-links). */
export const fetchSignUpPassword = (token: string) =>
  callSignUpPassword<{ password: 'set' | 'waiting' | 'missing' }>(token, { method: 'GET' })

/** Keeps the password of a sign-up (`POST /signup/password`). The result is false when the server refuses the claim. */
export async function postSignUpPassword(token: string, claim: { secret: string } | { keep: true }) {
  const { error } = await callSignUpPassword(token, { method: 'POST', body: JSON.stringify(claim) })
  return { data: error === null, error: error?.code === 'otp_expired' ? null : error }
}

/** Answers in the form in which auth-js does. */
async function callSignUpPassword<T>(
  token: string,
  init: RequestInit,
): Promise<{ data: T; error: null } | { data: null; error: AuthError }> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  try {
    const response = await fetchAuth(`${location.origin}/auth/v1/signup/password`, { ...init, headers })
    const body = response.status === 204 ? null : await response.json()
    if (response.ok) return { data: body as T, error: null }
    return { data: null, error: new AuthApiError(body.msg ?? '', response.status, body.error_code) }
  } catch (error) {
    return { data: null, error: new AuthRetryableFetchError(String(error), 0) }
  }
}

let lastRetryAfterS: number | undefined

/** Returns the Retry-After of the last response, in seconds: the errors of auth-js do not carry it. */
export const getLastRetryAfterS = () => lastRetryAfterS

/** Too many renewals from this network, or a session that another request has locked: neither means that it has ended. */
const TEMPORARY_STATUSES = [409, 429]

async function fetchAuth(address: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  // auth-js ends the session here before it calls the server, and the page is left at once: that must not cancel the request
  const keepalive = typeof address === 'string' && address.includes('/logout')
  const requestHeaders = new Headers(init?.headers)
  requestHeaders.set('accept-language', getLocale()) // of the page, and so of its emails and of a new account
  const response = await fetch(address, { ...init, headers: requestHeaders, keepalive })
  const { status, headers, body } = response
  lastRetryAfterS = parseRetryAfter(headers.get('retry-after'))
  const isRenewal = typeof address === 'string' && address.includes('grant_type=refresh_token')
  // auth-js ends an expired session when its renewal is rejected; after an error of the server it retries for half a minute
  if (isRenewal && TEMPORARY_STATUSES.includes(status)) return new Response(body, { status: 503, headers })
  return countFromNow(response)
}

/**
 * Takes the server's `expires_at` out of a session, so that auth-js counts `expires_in` from now by the clock of this device,
 * which it compares with later: the two clocks may be days apart.
 */
async function countFromNow(response: Response): Promise<Response> {
  if (!response.ok) return response
  const read = response.clone().json() as Promise<Partial<Session> | null>
  const session = await read.catch(() => null)
  return session?.access_token ? Response.json({ ...session, expires_at: undefined }, response) : response
}

// pages prerendered without scripts show their signed-in buttons by this class; the inline head script sets it on a full load
auth.onAuthStateChange((_, session) => {
  if (session) {
    setDraftOwner(session.user.id)
    void endFormerSubscription(session.user.id)
  }
  document.documentElement.classList.toggle('signed-in', session !== null)
})

/** Returns the session, refreshed if necessary; see `currentSession` of session.ts. */
export async function currentSession(): Promise<Session | null> {
  const { data, error } = await auth.getSession()
  if (isAuthRetryableFetchError(error)) throw error
  return data.session
}

/** Returns a new access token; see `renewToken` of session.ts. */
export async function renewToken(): Promise<string | null> {
  const before = getStoredSession()
  const { data, error } = await auth.refreshSession()
  if (data.session) return data.session.access_token
  const stored = getStoredSession()
  // another tab renewed it first: use that token, unless another user has signed in there
  const isRenewed = isAuthRefreshDiscardedError(error) && stored?.user.id === before?.user.id
  if (isRenewed) return stored?.access_token ?? null
  if (isAuthRetryableFetchError(error)) throw error
  // auth-js keeps a session whose token has not expired, although the server has ended it
  if (stored && stored.refresh_token === before?.refresh_token) await auth.signOut({ scope: 'local' })
  return null
}
