import type { AuthError } from '@supabase/auth-js'
import { ApiError, errorMessage } from '~/lib/http/api'
import { loadModule } from '~/lib/http/load-module'

type FailureDetails = { code?: string | undefined; retryAfterS?: number | undefined; linkExpired?: boolean }

/** Reports why an attempt failed. Its `message` can be shown. */
export class AuthFailure extends Error {
  override name = 'AuthFailure'
  /** The code of the auth protocol or of the API, or `network`; undefined when there is none. */
  readonly code: string | undefined
  /** Seconds until another attempt can succeed, when the server said so. */
  readonly retryAfterS: number | undefined
  /** Whether a link from an email, or the session it opened, has expired. */
  readonly linkExpired: boolean

  constructor(message: string, { code, retryAfterS, linkExpired = false }: FailureDetails = {}) {
    super(message)
    this.code = code
    this.retryAfterS = retryAfterS
    this.linkExpired = linkExpired
  }
}

/** Returns why an attempt failed, from whatever it threw. */
export function toFailure(error: unknown): AuthFailure {
  if (error instanceof AuthFailure) return error
  const { code, retryAfterS } = error instanceof ApiError ? error : {}
  return new AuthFailure(errorMessage(error), { code, retryAfterS })
}

/** Returns why an attempt failed that is caught here, as `toFailure` does, and reports a bug. */
export function caughtFailure(error: unknown): AuthFailure {
  if (!(error instanceof AuthFailure || error instanceof ApiError)) console.error(error)
  return toFailure(error)
}

type AuthClientModule = typeof import('~/lib/session/session.client')

/** What `work` resolves to: `data` is there when there is no error. */
type AuthResponse<T> = { data: T | null; error: AuthError | null }

/**
 * Loads the auth client (20 kB the page does without until then), and runs `work` with it. Throws `AuthFailure`, or the
 * `ApiError` of a missing connection: something to show, whatever went wrong.
 *
 * @param fallback the text for an error code that means nothing to the user
 */
export async function authRequest<T>(
  fallback: string,
  work: (client: AuthClientModule) => Promise<AuthResponse<T>>,
): Promise<T> {
  const [client, { describeError }] = await loadModule(
    Promise.all([import('~/lib/session/session.client'), import('./auth-error-text.ts')]),
  )
  const { data, error } = await work(client).catch((thrown: unknown) => {
    console.warn(thrown)
    // the session could not be renewed; anything else is a bug, which must not look like a bad connection
    throw client.isAuthRetryableFetchError(thrown) ? new ApiError(0, undefined) : new AuthFailure(fallback)
  })
  if (!error) return data as T
  if (error.name === 'AuthRetryableFetchError' && !error.status) throw new ApiError(0, undefined)
  const { text, ...details } = describeError(error, fallback)
  throw new AuthFailure(text, { ...details, ...(error.status === 429 && { retryAfterS: client.getLastRetryAfterS() }) })
}
