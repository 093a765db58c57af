import type { Session } from '@supabase/auth-js'
import { getStoredSession, hasStoredSession } from '~/lib/session/stored-session'

/*
 * The session, for pages that only need to know who is signed in. It is read where auth-js stores it; auth-js itself
 * (20 kB) is loaded once there is something to do for it: renewing, signing in or out, changing the account.
 */
const SECOND_MS = 1000

/** A session with less left than this is renewed before it is used (requirements §9), by auth-js too. */
export const RENEW_BEFORE_MS = 90 * SECOND_MS

/** Milliseconds until the access token runs out; negative afterwards. */
export const msUntilExpiry = ({ expires_at = 0 }: Pick<Session, 'expires_at'>): number =>
  expires_at * SECOND_MS - Date.now()

/** The auth client. Throws when it cannot be loaded; the next call tries again. */
export const loadAuthClient = () => import('~/lib/session/session.client')

/**
 * The session, refreshed when it was about to end; null when signed out.
 * Throws when it could not be refreshed for want of a connection: that is no sign-out.
 */
export async function currentSession(): Promise<Session | null> {
  if (!hasStoredSession()) return null
  const stored = getStoredSession()
  if (stored && msUntilExpiry(stored) >= RENEW_BEFORE_MS) return stored
  const client = await loadAuthClient().catch((error: unknown) => {
    if (stored && msUntilExpiry(stored) > 0) return null // auth-js does the same where it has no connection
    throw error
  })
  return client ? client.currentSession() : stored
}

/** As `currentSession`, its access token. */
export const getAccessToken = async (): Promise<string | null> => (await currentSession())?.access_token ?? null

/**
 * A new access token, for when the server refused the present one; null when the session has ended, which signs out.
 * Throws as `currentSession` does.
 */
export const renewToken = async (): Promise<string | null> => (await loadAuthClient()).renewToken()
