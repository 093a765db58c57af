import type { Session, User } from '@supabase/auth-js'
import { SECOND_MS } from '#contract/time.ts'
import { browserStore, readJson, SESSION_KEY } from '~/lib/page/storage'

/*
 * Reads the session as auth-js stores it, without auth-js and without waiting: the inline head script does so before the
 * first paint.
 */

/** Returns whether a session is stored; it may have ended meanwhile. */
export const hasStoredSession = (): boolean => browserStore.getItem(SESSION_KEY) !== null

/** Returns the stored session, whose token may have expired; null when there is none or it is incomplete. */
export function getStoredSession(): Session | null {
  const session = (readJson(browserStore, SESSION_KEY) ?? {}) as Partial<Session>
  const { access_token, refresh_token, expires_at, user } = session
  return access_token && refresh_token && expires_at && user?.id ? (session as Session) : null
}

/** A session with less left than this is renewed before it is used (requirements §9), by auth-js too. */
export const RENEW_BEFORE_MS = 90 * SECOND_MS

/** Returns the milliseconds until the access token expires; negative afterwards. */
export const msUntilExpiry = ({ expires_at = 0 }: Pick<Session, 'expires_at'>): number =>
  expires_at * SECOND_MS - Date.now()

/** Returns the id of the user whose session is stored; null when there is none. */
export const getStoredUserId = (): string | null => getStoredSession()?.user.id ?? null

/** Returns name and email address of the signed-in user as both are shown, empty where unknown; null when nobody is signed in. */
export function getStoredUser(): { name: string; email: string } | null {
  const user = getStoredSession()?.user
  if (!user) return null
  const text = (value: unknown) => (typeof value === 'string' ? value : '')
  return {
    name: text(user.user_metadata?.['full_name']),
    email: text(user.app_metadata?.['shown_email']) || text(user.email),
  }
}

/** Posts a message through a channel object of its own, so that the listeners of this tab receive it too. */
export function broadcast(name: string, message: unknown) {
  const channel = new BroadcastChannel(name)
  channel.postMessage(message)
  channel.close()
}

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
