import type { Session } from '@supabase/auth-js'
import { followRelease } from '~/lib/release/follow-release'
import { getStoredSession, hasStoredSession, msUntilExpiry, RENEW_BEFORE_MS } from './stored-session.ts'

/*
 * Returns the session, for pages that only need to know who is signed in, from where auth-js stores it. auth-js itself
 * (20 kB) is loaded once it is needed: to renew the session, to sign in or out, to change the account.
 */

/** Loads the auth client. Throws when that fails; the next call tries again. */
export const loadAuthClient = () => import('./session.client.ts')

/**
 * Returns the session, refreshed if it is about to expire; null when signed out. Throws when it could not be refreshed
 * because there is no connection, which is not a sign-out.
 */
export async function currentSession(): Promise<Session | null> {
  if (!hasStoredSession()) return null
  const stored = getStoredSession()
  if (stored && msUntilExpiry(stored) >= RENEW_BEFORE_MS) return stored
  const client = await loadAuthClient().catch(async (error: unknown) => {
    if (stored && msUntilExpiry(stored) > 0) return null // auth-js does the same when it has no connection
    await followRelease()
    throw error
  })
  return client ? client.currentSession() : stored
}

/** Returns the access token of `currentSession`. */
export const getAccessToken = async (): Promise<string | null> => (await currentSession())?.access_token ?? null

/**
 * Returns a new access token after the server has rejected the current one; null when the session has ended, which signs
 * the user out. Throws as `currentSession` does.
 */
export const renewToken = async (): Promise<string | null> => (await loadAuthClient()).renewToken()
