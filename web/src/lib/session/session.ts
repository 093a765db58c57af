import type { AuthChangeEvent, Session } from '@supabase/auth-js'
import { SECOND_MS } from '#contract/time.ts'
import { storesNothing } from '~/lib/page/storage'
import { readServerClock } from '~/lib/time/now'
import { parseRetryAfter } from '~/lib/time/timeout'
import { forgetAccount, markSignedOut, readAccount } from './account-cookie.ts'
import { type Opened, type Opening, requestSession, settleCookie } from './open-session.ts'
import {
  announce,
  countedFromNow,
  getSession,
  IN_COOKIE,
  isSignedIn,
  msUntilExpiry,
  RENEW_BEFORE_MS,
  SESSION_CHANNEL,
  setSession,
} from './tab-session.ts'

/* Opens and renews the session. auth-js (20 kB) is loaded once it is needed: to sign in, or to change the account. */

/** What auth-js broadcasts to other tabs (GoTrueClient, `broadcastChannel`). */
export type AuthBroadcast = { event: AuthChangeEvent; session: Session | null }

/** The event of a page in which the session of another tab arrives, or its end. */
export const CHANGED_ELSEWHERE = 'platenote-session'

/** How often the session was changed otherwise than here, and whether that ended it. */
let changes = 0
let isEnded = false
if (!import.meta.env.SSR) window.platenoteToken = () => getAccessToken()
if (!import.meta.env.SSR && !storesNothing)
  new BroadcastChannel(SESSION_CHANNEL).onmessage = ({ data }: MessageEvent<AuthBroadcast>) => {
    const isOwn = data.session?.access_token === getSession()?.access_token
    changes++
    isEnded = data.session === null
    setSession(data.session)
    if (!isOwn) dispatchEvent(new Event(CHANGED_ELSEWHERE))
  }

let first: Opened['first'] = {}

/** Returns what came with the session with this token, for the first request of it (`prefetch` of the route); undefined when nothing did. */
export function takeFirst(url: string, token: string): Response | undefined {
  const answer = getSession()?.access_token === token ? first[url] : undefined
  delete first[url]
  return answer && new Response(answer.body, { status: answer.status })
}

/** Returns whether something came with the session, and has not been taken yet. */
export const hasFirst = (url: string): boolean => first[url] !== undefined

/** A server that is busy or of the release before, a slow or a crowded network: none means that a session has ended. */
const isTemporary = (status: number) => [404, 408, 409, 429].includes(status) || status >= 500
/** How long a renewal is tried again. */
const PATIENCE_MS = 30 * SECOND_MS

/** The server has not decided in time, or there is no connection: neither a refusal nor a bug. */
export class Undecided extends Error {}

/** Sends the request until the server decides. Throws `Undecided`. */
async function awaitDecision(send: () => Opening): Promise<Response> {
  const giveUpAt = Date.now() + PATIENCE_MS
  for (;;) {
    const { sentAt, response } = send()
    const answer = await response.catch((error: unknown) => {
      throw new Undecided(String(error))
    })
    readServerClock(answer, sentAt)
    if (!isTemporary(answer.status)) return answer
    const waitMs = (parseRetryAfter(answer.headers.get('retry-after')) || 1) * SECOND_MS
    if (Date.now() + waitMs > giveUpAt) throw new Undecided(String(answer.status))
    await new Promise((resolve) => setTimeout(resolve, waitMs))
  }
}

function takeOpening(): Opening {
  const begun = window.platenoteOpening ?? requestSession()
  delete window.platenoteOpening
  return begun
}

/** Renews a session whose refresh token is in the memory of this tab. */
const requestRenewal = (refresh_token: string): Opening => ({
  sentAt: Date.now(),
  response: fetch('/auth/v1/token?grant_type=refresh_token', {
    method: 'POST',
    body: JSON.stringify({ refresh_token }),
  }),
})

async function keep(answer: Response): Promise<Session> {
  const { first: answered = {}, ...opened } = (await answer.json()) as Session & Partial<Opened>
  const session = { ...countedFromNow(opened), refresh_token: storesNothing ? opened.refresh_token : IN_COOKIE }
  setSession(session)
  first = answered
  return session
}

async function open(): Promise<Session | null> {
  if (!isSignedIn()) return null
  const token = storesNothing ? getSession()!.refresh_token : undefined
  const [userId, changesBefore] = [readAccount()?.userId, changes]
  const answer = await awaitDecision(token === undefined ? takeOpening : () => requestRenewal(token))
  if (changes !== changesBefore) {
    // the cookie of an answer that comes after a sign-out would undo it
    if (isEnded && answer.ok) markSignedOut()
    return getSession()
  }
  if (answer.ok) {
    await keep(answer)
    return getSession()
  }
  if (answer.status !== 400) throw new Error(String(answer.status))
  // unless another tab has signed somebody in meanwhile
  if (readAccount()?.userId === userId) forgetAccount()
  setSession(null)
  announce('SIGNED_OUT', null)
  return null
}

let opening: Promise<Session | null> | undefined
const openOnce = () =>
  (opening ??= open().finally(() => {
    opening = undefined
  }))

/**
 * Returns the session, refreshed if it is about to expire; null when signed out. Throws when it could not be refreshed
 * because there is no connection, which is not a sign-out.
 */
export async function currentSession(): Promise<Session | null> {
  const session = getSession()
  if (session && msUntilExpiry(session) >= RENEW_BEFORE_MS) return session
  return openOnce().catch((error: unknown) => {
    const kept = getSession()
    if (kept && msUntilExpiry(kept) > 0) return kept
    throw error
  })
}

/** Returns the access token of `currentSession`. */
export const getAccessToken = async (): Promise<string | null> => (await currentSession())?.access_token ?? null

/**
 * Returns a new access token after the server has rejected the current one; null when the session has ended, which signs
 * the user out. Throws as `currentSession` does.
 */
export const renewToken = async (): Promise<string | null> => (await openOnce())?.access_token ?? null

/** Ends the session of an access token on the server, even while the page is being left. */
export const revokeToken = (token: string): Promise<unknown> =>
  fetch('/auth/v1/logout?scope=local', {
    method: 'POST',
    keepalive: true,
    headers: { authorization: `Bearer ${token}` },
  })

/** Signs in with a session that another client has just been given, in every tab. The one that was here before ends. */
export async function adoptSession(given: Session): Promise<void> {
  if (storesNothing) {
    const before = getSession()
    setSession(given)
    if (before) await revokeToken(before.access_token).catch(() => {})
  } else {
    await settleCookie()
    const answer = await awaitDecision(() => requestSession([], given.refresh_token))
    if (!answer.ok) throw new Error(String(answer.status))
    await keep(answer)
  }
  announce('SIGNED_IN', getSession())
}
