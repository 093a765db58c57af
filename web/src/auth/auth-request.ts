import type { AuthError } from '@supabase/auth-js'
import type { ErrorCode } from '#contract/errors.ts'
import { ApiError } from '~/lib/http/api'
import { loadModule } from '~/lib/http/load-module'

type FailureDetails = { code?: string | undefined; retryAfterS?: number | undefined; linkExpired?: boolean }

/** Reports why something of the auth protocol failed, by its own codes (`codeOf`). Its `message` can be shown. */
export class AuthFailure extends ApiError {
  override name = 'AuthFailure'
  /** Whether a link from an email, or the session it opened, has expired. */
  readonly linkExpired: boolean

  constructor(message: string, { code, retryAfterS, linkExpired = false }: FailureDetails = {}) {
    super(400, { error: message, code: code as ErrorCode }, retryAfterS)
    this.linkExpired = linkExpired
  }
}

/** Returns whether something failed because a link from an email, or the session it opened, has expired. */
export const isLinkExpired = (error: unknown): error is AuthFailure => error instanceof AuthFailure && error.linkExpired

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
    // the session could not be opened or renewed; anything else is a bug, which must not look like a bad connection
    const isUndecided = thrown instanceof client.Undecided || client.isAuthRetryableFetchError(thrown)
    throw isUndecided ? new ApiError(0, undefined) : new AuthFailure(fallback)
  })
  if (!error) return data as T
  if (error.name === 'AuthRetryableFetchError' && !error.status) throw new ApiError(0, undefined)
  const { text, ...details } = describeError(error, fallback)
  throw new AuthFailure(text, { ...details, ...(error.status === 429 && { retryAfterS: client.getLastRetryAfterS() }) })
}
