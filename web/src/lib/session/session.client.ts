import {
  AuthApiError,
  AuthClient,
  type AuthError,
  AuthInvalidJwtError,
  AuthRetryableFetchError,
  isAuthRetryableFetchError,
  isAuthSessionMissingError,
  type Session,
  type User,
} from '@supabase/auth-js'
import { COOKIE_HEADER } from '#contract/session-cookie.ts'
import { setDraftOwner } from '~/lib/form/drafts'
import { getLocale } from '~/lib/i18n/i18n'
import { MemoryStorage, storesNothing } from '~/lib/page/storage'
import '~/lib/page/without-storage'
import { endFormerSubscription } from '~/lib/push/push-subscription'
import { parseRetryAfter } from '~/lib/time/timeout'
import { settleCookie } from './open-session.ts'
import { adoptSession, currentSession } from './session.ts'
import { countedFromNow, IN_COOKIE, readClaims, SESSION_CHANNEL, setSession } from './tab-session.ts'

export { adoptSession, currentSession, renewToken, Undecided } from './session.ts'
export { isAuthRetryableFetchError, isAuthSessionMissingError }

const SETTINGS = {
  url: `${location.origin}/auth/v1`,
  flowType: 'implicit',
  autoRefreshToken: false, // session.ts does that
  persistSession: true,
  detectSessionInUrl: false,
} as const

/** Gives auth-js the session of this tab, which is renewed before. */
const tabStorage = {
  async getItem() {
    // so that nothing takes a missing connection for a sign-out
    const session = await currentSession().catch((error: unknown) => {
      throw new AuthRetryableFetchError(String(error), 0)
    })
    return session && JSON.stringify(session)
  },
  setItem: (_: string, value: string) => setSession(JSON.parse(value)),
  removeItem(key: string) {
    if (key === SESSION_CHANNEL) setSession(null)
  },
}

/**
 * The one auth client of the tab, loaded when it is needed (session.ts). `detectSessionInUrl` is off: /verify-email and
 * /reset-password read the fragment themselves, so that tokens are checked before they are kept (decision mailed-links).
 * A `.client` module is empty during prerendering: use it in handlers, effects and clientLoaders only.
 */
export const auth = new AuthClient({
  ...SETTINGS,
  storage: tabStorage,
  storageKey: SESSION_CHANNEL,
  skipAutoInitialize: true,
  fetch: storesNothing ? fetchAuth : fetchIntoCookie,
})

let transientClients = 0

/** Creates another client, whose session is in its memory only: for links from emails, whose tokens are checked first. */
export const createTransientAuth = (session?: Session) => {
  const storageKey = `${SESSION_CHANNEL}-${++transientClients}` // auth-js warns of two under one key
  const storage = new MemoryStorage(session && [[storageKey, JSON.stringify(session)]])
  return new AuthClient({ ...SETTINGS, storageKey, storage, fetch: fetchAuth })
}

export type TransientAuth = ReturnType<typeof createTransientAuth>

/** Makes the session of another client that of this browser. */
export async function adoptSessionOf(client: TransientAuth) {
  const { data, error } = await client.getSession()
  if (data.session) await adoptSession(data.session)
  return { data: null, error }
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
    const session = sessionWith(tokens, data.user)
    return { client: createTransientAuth(session), session, error: null } as const
  }
  if (isAuthRetryableFetchError(error)) return { client, session: null, error } as const
  const renewed = await client.refreshSession({ refresh_token: tokens.refreshToken })
  if (renewed.data.session) return { client, session: renewed.data.session, error: null } as const
  const isRefused = renewed.error && !MALFORMED_CODES.includes(renewed.error.code)
  return { client, session: null, error: isRefused ? renewed.error : new AuthInvalidJwtError('damaged link') } as const
}

function sessionWith(tokens: { accessToken: string; refreshToken: string }, user: User): Session {
  const { exp = 0, iat = 0 } = readClaims(tokens.accessToken)
  return countedFromNow({
    access_token: tokens.accessToken,
    refresh_token: tokens.refreshToken,
    token_type: 'bearer',
    expires_in: exp - iat,
    user,
  })
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

async function fetchAuth(address: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const requestHeaders = new Headers(init?.headers)
  requestHeaders.set('accept-language', getLocale()) // of the page, and so of its emails and of a new account
  const response = await fetch(address, { ...init, headers: requestHeaders })
  lastRetryAfterS = parseRetryAfter(response.headers.get('retry-after'))
  if (!response.ok) return response
  const read = response.clone().json() as Promise<Partial<Session> | null>
  const session = await read.catch(() => null)
  // auth-js counts from now by the clock of this device, which it compares with later
  return session?.access_token
    ? Response.json({ refresh_token: IN_COOKIE, ...session, expires_at: undefined }, response)
    : response
}

/** Does the same for the session of this browser. */
async function fetchIntoCookie(address: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  await settleCookie()
  const headers = new Headers(init?.headers)
  headers.set(COOKIE_HEADER, 'yes')
  return fetchAuth(address, { ...init, headers })
}

auth.onAuthStateChange((_, session) => {
  if (!session) return
  setDraftOwner(session.user.id)
  void endFormerSubscription(session.user.id)
})
