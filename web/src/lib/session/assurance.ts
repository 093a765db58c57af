import type { Session, User } from '@supabase/auth-js'

/** Reads what an access token says about its session; nothing when it is none. */
export function readClaims(accessToken: string): { aal?: unknown; amr?: unknown; exp?: number; iat?: number } {
  try {
    const payload = accessToken.split('.')[1] ?? ''
    return JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')))
  } catch {
    return {}
  }
}

/** Returns whether the user has a second factor that this session has yet to be verified with. */
export const needsSecondStep = (
  { access_token }: Pick<Session, 'access_token'>,
  user: Pick<User, 'factors'>,
): boolean =>
  (user.factors ?? []).some(({ status }) => status === 'verified') && readClaims(access_token).aal !== 'aal2'
