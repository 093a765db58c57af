import type { Session, User } from '@supabase/auth-js'
import { browserStore, readJson } from '~/lib/page/storage'
import { settleWithin } from '~/lib/time/timeout'
import { readAccount } from './account-cookie.ts'

/* How a page gets the session of this browser's cookie: the inline head script begins with it, beside the other scripts. */

/** Where the releases before the cookie stored a session; it moves into the cookie. */
const FORMER_KEYS = ['sb-auth-token', 'platenote-language'] as const

const formerToken = () => (readJson(browserStore, FORMER_KEYS[0]) as Partial<Session> | undefined)?.refresh_token

/** Returns whether there may be a session; it may have ended meanwhile. */
export const mayHaveSession = (): boolean => readAccount() !== null || formerToken() !== undefined

/** What the server answers: a session, and what was asked for with it, by address. */
export type Opened = Omit<Session, 'refresh_token'> & { first: Record<string, { status: number; body: string }> }

/** A request for the session, and when it was sent. */
export type Opening = { sentAt: number; response: Promise<Response> }

declare global {
  interface Window {
    /** What the inline head script began with. */
    platenoteOpening?: Opening
    /** Returns the access token, where the app runs. */
    platenoteToken?: () => Promise<string | null>
  }
}

/** The lock that these requests of all tabs share until they are answered. */
const COOKIE_LOCK = 'platenote-session'
/** How long a sign-in waits for them: a tab that sleeps may not notice its answer. */
const COOKIE_LOCK_TIMEOUT_MS = 5_000

/** @param keepalive sends it also while the page is being left */
function post(path: string, body: object, keepalive = false): Promise<Response> {
  const response = fetch(`/auth/v1/session${path}`, {
    method: 'POST',
    keepalive,
    headers: { 'content-type': 'application/json', 'accept-language': document.documentElement.lang },
    body: JSON.stringify(body),
  })
  navigator.locks?.request(COOKIE_LOCK, { mode: 'shared' }, () => response).catch(() => {})
  return response
}

/** Waits for what is on its way in all tabs: an answer that came after that of a sign-in would take its cookie. */
export const settleCookie = (): Promise<void> =>
  settleWithin(Promise.resolve(navigator.locks?.request(COOKIE_LOCK, () => {})), COOKIE_LOCK_TIMEOUT_MS)

/**
 * Asks for the session of the cookie.
 *
 * @param first the addresses of what the page shows first
 * @param token the refresh token of a session that is put into the cookie
 */
export function requestSession(first: string[] = [], token?: string): Opening {
  const former = token === undefined ? formerToken() : undefined
  const request = async () => {
    const response = await post('', { first, refresh_token: token ?? former })
    if (former === undefined || !(response.ok || response.status === 400)) return response
    for (const key of FORMER_KEYS) browserStore.removeItem(key)
    return !response.ok && readAccount() ? post('', { first }) : response
  }
  return { sentAt: Date.now(), response: request() }
}

/** Ends the session of the cookie on the server, even while the page is being left. */
export const requestEnd = (): Promise<Response> => post('/end', {}, true)

/** Returns who is signed in, and the token, for pages without the app; null when nobody is, or it cannot be known now. */
export async function fetchSignedIn(): Promise<{ user: User; access_token: string } | null> {
  if (!mayHaveSession()) return null
  const response = await requestSession().response.catch(() => null)
  return response?.ok ? response.json() : null
}
