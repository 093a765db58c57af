import { ApiError, errorMessage } from '~/lib/api'
import type { AuthFailure } from './auth-error-text.ts'

/** What a call of the API threw, as `FailureNotice` shows it. */
export const failureOf = (error: unknown): AuthFailure => {
  const { code, retryAfter: waitS } = error instanceof ApiError ? error : {}
  return { code, text: errorMessage(error), waitS }
}
