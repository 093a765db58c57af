import type { Session, User } from '@supabase/auth-js'
import { SECOND_MS } from '#contract/time.ts'
import { storesNothing } from '~/lib/page/storage'
import { readAccount } from './account-cookie.ts'
import { mayHaveSession } from './open-session.ts'

/*
 * Holds the session of this tab, in memory only: its refresh token is in a cookie that no script can read. Where cookies are blocked
 * it is here too, and each tab has a session of its own.
 */

/** The name of the channel over which auth-js tells other tabs what it does to the session. */
export const SESSION_CHANNEL = 'sb-auth-token'

/** What stands in place of a refresh token that is in the cookie: auth-js takes no session without one. */
export const IN_COOKIE = 'in-cookie'

let session: Session | null = null

/** Returns the session, whose token may have expired; null while it is not open, and when it is no longer that of this browser. */
export const getSession = (): Session | null =>
  storesNothing || session?.user.id === readAccount()?.userId ? session : null

/** Sets the session of this tab. */
export function setSession(next: Session | null): void {
  session = next
  document.documentElement.classList.toggle('signed-in', next !== null)
}

/** Returns whether somebody is signed in, as far as the browser knows; the session may not be open yet. */
export const isSignedIn = (): boolean => (storesNothing ? session !== null : mayHaveSession())

/** Returns the id of the user who is signed in in this browser; null when nobody is. */
export const signedInUserId = (): string | null => (storesNothing ? session?.user.id : readAccount()?.userId) ?? null

/** A session with less left than this is renewed before it is used (requirements §9). */
export const RENEW_BEFORE_MS = 90 * SECOND_MS

/** Returns the milliseconds until the access token expires; negative afterwards. */
export const msUntilExpiry = ({ expires_at = 0 }: Pick<Session, 'expires_at'>): number =>
  expires_at * SECOND_MS - Date.now()

/**
 * Returns a session as the server answered it, with the time at which it expires counted by the clock of this device, which it is
 * compared with later: the two clocks may be days apart.
 */
export const countedFromNow = <T extends { expires_in: number }>(answer: T): T & { expires_at: number } => ({
  ...answer,
  expires_at: Math.round(Date.now() / SECOND_MS) + answer.expires_in,
})

/** Posts a message through a channel object of its own, so that the listeners of this tab receive it too. */
export function broadcast(name: string, message: unknown) {
  const channel = new BroadcastChannel(name)
  channel.postMessage(message)
  channel.close()
}

/** Tells every tab what has happened to the session, as auth-js does. */
export const announce = (event: 'SIGNED_IN' | 'SIGNED_OUT', of: Session | null) =>
  broadcast(SESSION_CHANNEL, { event, session: of })

/** Reads what an access token says about its session; nothing when it is none. */
export function readClaims(accessToken: string): {
  aal?: unknown
  amr?: unknown
  session_id?: unknown
  exp?: number
  iat?: number
} {
  try {
    const payload = accessToken.split('.')[1] ?? ''
    return JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')))
  } catch {
    return {}
  }
}

/** Returns whether the user has a second factor that this session has yet to be verified with. */
export const needsSecondStep = (
  { access_token }: Pick<Session, 'access_token'>,
  user: Pick<User, 'factors'>,
): boolean =>
  (user.factors ?? []).some(({ status }) => status === 'verified') && readClaims(access_token).aal !== 'aal2'
