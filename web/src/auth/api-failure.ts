import { ApiError, errorMessage } from '~/lib/http/api'
import type { AuthFailure } from './auth-error-text.ts'

/** What a call of the API threw, as `FailureAlert` shows it. */
export const apiFailure = (error: unknown): AuthFailure => {
  const { code, retryAfter: waitS } = error instanceof ApiError ? error : {}
  return { code, text: errorMessage(error), retryAfterS: waitS }
}
