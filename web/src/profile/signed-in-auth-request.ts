import { type AuthResult, authRequest } from '~/auth/auth-request'
import { m } from '~/paraglide/messages'

/**
 * Works like `authRequest`, for a signed-in user: what is an expired link elsewhere is here the end of their session.
 */
export async function signedInAuthRequest<T>(...call: Parameters<typeof authRequest<T>>): Promise<AuthResult<T>> {
  const outcome = await authRequest(...call)
  if (outcome.state === 'done' || !outcome.failure.linkExpired) return outcome
  return { state: 'failed', failure: { ...outcome.failure, text: m.profile_session_over() } }
}
