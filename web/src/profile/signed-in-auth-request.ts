import { type AuthResult, authRequest } from '~/auth/auth-request'
import { m } from '~/paraglide/messages'

/** As `attempt`, for somebody who is signed in: what ends the session of a link elsewhere has ended theirs here. */
export async function signedInAuthRequest<T>(...call: Parameters<typeof authRequest<T>>): Promise<AuthResult<T>> {
  const outcome = await authRequest(...call)
  if (outcome.state === 'done' || !outcome.failure.linkExpired) return outcome
  return { state: 'failed', failure: { ...outcome.failure, text: m.profile_session_over() } }
}
