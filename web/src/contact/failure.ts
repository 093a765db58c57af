import type { AuthFailure } from '~/auth/auth-error-text'
import { ApiError, errorMessage } from '~/lib/api'

/** Why the message was not sent, as the notice shows it. */
export function failureOf(error: unknown): AuthFailure {
  if (!(error instanceof ApiError)) return { code: undefined, text: errorMessage(error) }
  const { code, message, retryAfter } = error
  return { code, text: message, ...(retryAfter !== undefined && { waitS: retryAfter }) }
}
