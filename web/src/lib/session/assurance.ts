import type { Session, User } from '@supabase/auth-js'

/** Returns whether a session was verified with a second factor, according to its token (the `aal` claim). */
function isVerified(accessToken: string): boolean {
  try {
    const payload = accessToken.split('.')[1] ?? ''
    const { aal } = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/'))) as { aal?: unknown }
    return aal === 'aal2'
  } catch {
    return false
  }
}

/** Returns whether the user has a second factor that this session has yet to be verified with. */
export const needsSecondStep = (
  { access_token }: Pick<Session, 'access_token'>,
  user: Pick<User, 'factors'>,
): boolean => (user.factors ?? []).some(({ status }) => status === 'verified') && !isVerified(access_token)
