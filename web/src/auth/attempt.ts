import type { AuthError } from '@supabase/auth-js'
import { type AuthFailure, authFailure, networkFailure } from './auth-error-text.ts'

export type Outcome<T> = { state: 'done'; data: T } | { state: 'failed'; failure: AuthFailure }

type SessionModule = typeof import('~/lib/session.client')

/**
 * Runs calls of the auth client, which is loaded for them (20 kB the page does without until then), and turns whatever
 * goes wrong into something to show. Never throws.
 *
 * @param fallback the text for failures whose code says nothing to a person
 */
export async function attempt<T>(
  fallback: string,
  work: (session: SessionModule) => Promise<{ data: T; error: AuthError | null }>,
): Promise<Outcome<T>> {
  try {
    const session = await import('~/lib/session.client')
    const { data, error } = await work(session)
    if (!error) return { state: 'done', data }
    return { state: 'failed', failure: authFailure(error, fallback, session.retryAfterS()) }
  } catch {
    return { state: 'failed', failure: networkFailure() } // the client itself could not be loaded
  }
}
