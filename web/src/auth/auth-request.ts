import type { AuthError } from '@supabase/auth-js'
import { loadModule } from '~/lib/http/load-module'
import { m } from '~/paraglide/messages'
import type { AuthFailure } from './auth-error-text.ts'

export type AuthResult<T> = { state: 'done'; data: T } | { state: 'failed'; failure: AuthFailure }

type AuthClientModule = typeof import('~/lib/session/session.client')

/** What `work` resolves to: `data` is there when there is no error. */
type AuthResponse<T> = { data: T | null; error: AuthError | null }

const networkFailure: () => { state: 'failed'; failure: AuthFailure } = () => ({
  state: 'failed',
  failure: { code: 'network', text: m.error_network() },
})

const loadAuthModules = () =>
  loadModule(Promise.all([import('~/lib/session/session.client'), import('./auth-error-text.ts')]))

/**
 * Loads the auth client (20 kB the page does without until then), runs `work` with it, and turns whatever goes wrong
 * into something to show. Never throws.
 *
 * @param fallback the text for an error code that means nothing to the user
 */
export async function authRequest<T>(
  fallback: string,
  work: (client: AuthClientModule) => Promise<AuthResponse<T>>,
): Promise<AuthResult<T>> {
  let modules: Awaited<ReturnType<typeof loadAuthModules>>
  try {
    modules = await loadAuthModules()
  } catch (error) {
    console.warn(error)
    return networkFailure()
  }
  const [client, { authFailure }] = modules
  try {
    const { data, error } = await work(client)
    if (!error) return { state: 'done', data: data as T }
    if (error.name === 'AuthRetryableFetchError' && !error.status) return networkFailure()
    return { state: 'failed', failure: authFailure(error, fallback, client.getLastRetryAfterS()) }
  } catch (error) {
    console.warn(error)
    // the session could not be renewed; anything else is a bug, which must not look like a bad connection
    if (client.isAuthRetryableFetchError(error)) return networkFailure()
    return { state: 'failed', failure: { code: undefined, text: fallback } }
  }
}
