import type { AuthError } from '@supabase/auth-js'
import { m } from '~/paraglide/messages'
import type { AuthFailure } from './auth-error-text.ts'

export type AuthResult<T> = { state: 'done'; data: T } | { state: 'failed'; failure: AuthFailure }

type AuthClientModule = typeof import('~/lib/session/session.client')

const networkFailure: () => { state: 'failed'; failure: AuthFailure } = () => ({
  state: 'failed',
  failure: { code: 'network', text: m.error_network() },
})

/**
 * Runs calls of the auth client, which is loaded for them (20 kB the page does without until then), and turns whatever
 * goes wrong into something to show. Never throws.
 *
 * @param fallback the text for failures whose code says nothing to a person
 */
export async function authRequest<T>(
  fallback: string,
  work: (session: AuthClientModule) => Promise<{ data: T; error: AuthError | null }>,
): Promise<AuthResult<T>> {
  try {
    const [session, { authFailure }] = await Promise.all([
      import('~/lib/session/session.client'),
      import('./auth-error-text.ts'),
    ])
    const { data, error } = await work(session)
    if (!error) return { state: 'done', data }
    if (error.name === 'AuthRetryableFetchError' && !error.status) return networkFailure()
    return { state: 'failed', failure: authFailure(error, fallback, session.getLastRetryAfterS()) }
  } catch (error) {
    // the client could not be loaded, or the session not renewed; a fault of ours would look the same, so it is written down
    console.warn(error)
    return networkFailure()
  }
}
