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
 * Loads the auth client (20 kB the page does without until then), runs `work` with it, and turns whatever goes wrong
 * into something to show. Never throws.
 *
 * @param fallback the text for an error code that means nothing to the user
 */
export async function authRequest<T>(
  fallback: string,
  work: (client: AuthClientModule) => Promise<{ data: T; error: AuthError | null }>,
): Promise<AuthResult<T>> {
  try {
    const [client, { authFailure }] = await Promise.all([
      import('~/lib/session/session.client'),
      import('./auth-error-text.ts'),
    ])
    const { data, error } = await work(client)
    if (!error) return { state: 'done', data }
    if (error.name === 'AuthRetryableFetchError' && !error.status) return networkFailure()
    return { state: 'failed', failure: authFailure(error, fallback, client.getLastRetryAfterS()) }
  } catch (error) {
    // the client could not be loaded, or the session not be renewed; a bug would look the same, so the error is logged
    console.warn(error)
    return networkFailure()
  }
}
