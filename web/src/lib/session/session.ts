import type { Session } from '@supabase/auth-js'
import { msUntilExpiry, RENEW_BEFORE_MS } from './expiry.ts'
import { getStoredSession, hasStoredSession } from './stored-session.ts'

/*
 * The session, for pages that only need to know who is signed in. It is read where auth-js stores it; auth-js itself
 * (20 kB) is loaded once there is something to do for it: renewing, signing in or out, changing the account.
 */

/** The auth client. Throws when it cannot be loaded; the next call tries again. */
export const loadAuthClient = () => import('./session.client.ts')

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
